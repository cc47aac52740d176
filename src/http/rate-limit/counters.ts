/** What counting a call is: the words that the counts in memory and the shared ones have in common. */
import type { Rate } from '../../config/parsers.ts'

/** A limit: a fixed window, or a token bucket. */
export type Limit = Readonly<{
  name: string
  kind: 'window' | 'bucket'
  rate: Rate
  /** Many clients count against it: shown to a client that it does not refuse, it would tell of the others. */
  isShared?: true
  /** How long the first call above a window's count keeps all further ones out; 0: until the window is over. */
  blockSeconds: number
}>

/** A limit, and who it is counted for. */
export type Use = Readonly<{ limit: Limit; key: string }>

/** How a limit stands. */
export type Answer = Readonly<{
  isAllowed: boolean
  remaining: number
  /** Milliseconds until there is more than now. */
  msBeforeNext: number
}>

/** Where it is counted. */
export type Counts = Readonly<{
  /**
   * Counts one against each limit, if all of them accept; what is refused counts only against what refuses it.
   * A bucket is many callers': nothing is taken from it for a call that any window refuses, also of many at once.
   * @returns how they stand, in their order
   */
  count(uses: readonly Use[]): Promise<readonly Answer[]>
}>
