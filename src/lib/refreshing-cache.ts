/** A value from elsewhere: kept while it is fresh, and for a while when its source is away. */
import type { Clock } from './clock.ts'

/** How long a value is used, in milliseconds. */
export type Freshness = Readonly<{
  /** No look at the source before it is older than this. */
  freshForMs: number
  /** When the source is away, a value that is not older than this is used. */
  heldForMs: number
  /** Within this after an attempt nobody asks the source again who can do with the value at hand. */
  cooldownMs: number
  /** Within this after an attempt that failed, everybody else is refused at once. */
  failureCooldownMs: number
}>

/** A value from elsewhere. */
export type RefreshingCache<T> = Readonly<{
  /** The value; rejects when there is none that may be used. */
  get(): Promise<T>
  /** The value anew, because the one at hand lacks something; within the cooldown it is the one at hand. */
  refetch(): Promise<T>
}>

/** @param load asks the source; at most one of it is under way, whoever needs it meanwhile waits for that one */
export function createRefreshingCache<T>(
  load: () => Promise<T>,
  freshness: Freshness,
  clock: Clock,
): RefreshingCache<T> {
  let held: Readonly<{ value: T; atMs: number }> | undefined
  let failed: Readonly<{ error: unknown; atMs: number }> | undefined
  let loading: Promise<T> | undefined

  // A clock that was set back makes the value old, not fresh for ever.
  const isWithin = (at: { atMs: number } | undefined, ms: number): boolean => {
    const ageMs = at === undefined ? -1 : clock.now() - at.atMs
    return ageMs >= 0 && ageMs < ms
  }

  async function reload(): Promise<T> {
    try {
      const value = await load()
      held = { value, atMs: clock.now() }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, atMs: clock.now() }
      throw error
    }
  }

  function refetch(): Promise<T> {
    if (loading !== undefined) return loading
    if (failed !== undefined && isWithin(failed, freshness.failureCooldownMs)) return Promise.reject(failed.error)
    if (held !== undefined && isWithin(held, freshness.cooldownMs)) return Promise.resolve(held.value)
    loading = reload().finally(() => void (loading = undefined))
    return loading
  }

  return {
    refetch,
    async get() {
      if (held !== undefined && isWithin(held, freshness.freshForMs)) return held.value
      // While the source is away, waiting for it now and then is enough.
      const hasJustFailed = isWithin(failed, freshness.cooldownMs)
      if (held !== undefined && hasJustFailed && isWithin(held, freshness.heldForMs)) return held.value
      try {
        return await refetch()
      } catch (error) {
        if (held !== undefined && isWithin(held, freshness.heldForMs)) return held.value
        throw error
      }
    },
  }
}
