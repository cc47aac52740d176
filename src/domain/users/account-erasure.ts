/** Erases deleted accounts in the background. The database knows what is left, so a crash loses nothing. */
import type { Queries } from '../../database/database.ts'
import { eraseBatch, findAccountsToErase, finishErasing } from '../../database/erase-rows.ts'
import type { DomainDeps } from '../deps.ts'
import { sleep } from '../../lib/clock.ts'
import { restBetweenBatches } from '../rest-between-batches.ts'

/** Rows per statement; an embedded database does nothing else meanwhile. */
const BATCH = 50
/** Pause when all rows that are left are locked. */
const RETRY_MS = 1000
const RETRY_AFTER_ERROR_MS = 5000
/** Accounts that take turns, so that a large one does not delay the next. */
const ACCOUNTS_AT_ONCE = 10

export type Erasure = Readonly<{
  /** Starts erasing, unless it is running. Call it after a deletion is committed. */
  wake(): void
  /** Stops after the batch in progress. The next start continues. */
  close(): Promise<void>
}>

/** Does nothing before `wake`. */
export function createErasure({ db, log }: Pick<DomainDeps, 'db' | 'log'>): Erasure {
  const closing = new AbortController()
  let isWoken = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (isWoken && !closing.signal.aborted) {
      isWoken = false
      try {
        await eraseDeleted(db, closing.signal)
      } catch (err) {
        log.error({ err }, 'deleted accounts not erased, will be tried again')
        await sleep(RETRY_AFTER_ERROR_MS, closing.signal)
        isWoken = true
      }
    }
    running = undefined
  }

  return {
    wake() {
      isWoken = true
      running ??= run()
    },
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Erases all deleted accounts, or until `stopping`. Several processes may run it at once. */
export async function eraseDeleted(db: Queries, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const ids = await findAccountsToErase(db, ACCOUNTS_AT_ONCE)
    if (ids.length === 0) return
    let done = 0
    for (const id of ids) {
      if (stopping.aborted) return
      done += (await eraseBatch(db, id, BATCH)) || Number(await finishErasing(db, id))
      await restBetweenBatches(stopping)
    }
    if (done === 0) await sleep(RETRY_MS, stopping)
  }
}
