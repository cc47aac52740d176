/** Last uses of keys and sign-ins: held in memory and written later, so that no call waits for a write. */
import type { Transaction } from '../database/database.ts'
import { nextTurn, sleep } from '../lib/clock.ts'
import { clientNetwork } from '../lib/network.ts'
import { repeat } from '../lib/repeat.ts'
import type { CoreDeps } from './deps.ts'
import { recordKeyUses } from './keys/key-exchange-store.ts'
import { recordSeen } from './sign-in/sign-in-store.ts'

/** `lastUsedAt` is at most a minute late: the rest of the minute is for the write. */
const KEYS_EVERY_MS = 50_000
/** `lastSeenAt` is at most five minutes late. */
const SIGN_INS_EVERY_MS = 290_000

/** Its owner may be watching for a key's first use. Those of a second are one write. */
const WRITE_FIRST_AFTER_MS = 1000

const BATCH = 100

export type LastUses = Readonly<{
  /**
   * A use now: an exchange, or a call with a token of the key or the sign-in.
   * @param ip of the client
   * @param isFirst written within seconds
   */
  note(id: string, ip: string, isFirst?: boolean): void
  flush(): Promise<void>
  /** Stops the timer and writes what is pending; later uses are lost. */
  close(): Promise<void>
}>

type UseDeps = Pick<CoreDeps, 'db' | 'clock' | 'log'>

/** Only the address: its network is computed when the use is written, not on the call. */
type Use = Readonly<{ atMs: number; ip: string }>

export const createKeyUse = (deps: UseDeps): LastUses =>
  createLastUses(deps, KEYS_EVERY_MS, (trx, uses) =>
    recordKeyUses(
      trx,
      uses.map(([id, { atMs, ip }]) => ({ id, atMs, network: clientNetwork(ip) })),
    ),
  )

export const createSignInUse = (deps: UseDeps): LastUses =>
  createLastUses(deps, SIGN_INS_EVERY_MS, (trx, uses) =>
    recordSeen(trx, new Map(uses.map(([id, { atMs }]) => [id, atMs]))),
  )

function createLastUses(
  { db, clock, log }: UseDeps,
  everyMs: number,
  record: (trx: Transaction, uses: readonly (readonly [id: string, use: Use])[]) => Promise<void>,
): LastUses {
  const lastUses = new Map<string, Use>()

  const firstUses = new Set<string>()
  const closing = new AbortController()
  let firstWrites: Promise<void> | undefined

  async function write(ids: Iterable<string>): Promise<void> {
    const uses = [...ids].toSorted().flatMap((id) => {
      const use = lastUses.get(id)
      return use === undefined ? [] : [[id, use] as const]
    })
    for (let done = 0; done < uses.length; done += BATCH) {
      if (done > 0) await nextTurn()
      const batch = uses.slice(done, done + BATCH)
      await db.transaction((trx) => record(trx, batch))
      for (const [id, use] of batch) if (lastUses.get(id) === use) lastUses.delete(id)
    }
  }

  const flush = () => write(lastUses.keys())

  // What could not be written is written with the next uses.
  const orLog = (written: Promise<void>) => written.catch((err: unknown) => log.warn({ err }, 'last uses not written'))

  const repeated = repeat(everyMs, () => orLog(flush()))

  async function writeFirstUses(): Promise<void> {
    while (firstUses.size > 0) {
      await sleep(WRITE_FIRST_AFTER_MS, closing.signal)
      const ids = [...firstUses]
      firstUses.clear()
      await orLog(write(ids))
    }
    firstWrites = undefined
  }

  return {
    note(id, ip, isFirst = false) {
      lastUses.set(id, { atMs: clock.now(), ip })
      if (!isFirst) return
      firstUses.add(id)
      firstWrites ??= writeFirstUses()
    },
    flush,
    async close() {
      closing.abort()
      await repeated.stop()
      await firstWrites
      // Uses noted during the last write.
      await orLog(flush())
    },
  }
}
