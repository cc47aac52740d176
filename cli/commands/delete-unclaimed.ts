import type { CoreDeps } from '../../src/domain/deps.ts'
import { eraseDeleted } from '../../src/domain/users/account-erasure.ts'
import { deleteUnclaimedUnused, findUnclaimedUnused } from '../../src/domain/users/sweep-unclaimed.ts'
import { EXIT_USAGE, OperatorError } from '../../src/lib/process/operator-error.ts'
import { writeErrorLine, writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { confirm, onDatabase, requireConfirmable, say } from '../command.ts'
import { isoTime } from '../output.ts'

type DeleteOptions = Readonly<{ json?: boolean; yes?: boolean }>

/** Deletes the accounts that `UNCLAIMED_ACCOUNT_RETENTION_DAYS` would delete, with a date in its place. */
export function deleteUnclaimed(since: string, options: DeleteOptions): Promise<void> {
  return onDatabase(async (deps) => {
    const sinceMs = /^\d{4}-\d{2}-\d{2}(T.*Z)?$/.test(since) ? Date.parse(since) : Number.NaN
    // Date.parse takes 31 February for 3 March.
    if (!(sinceMs <= deps.clock.now()) || !isoTime(sinceMs)?.startsWith(since.slice(0, 10)))
      throw new OperatorError('--unclaimed-since must be a date in the past, in UTC, such as 2026-01-31.', EXIT_USAGE)
    let count = 0
    for await (const ids of findUnclaimedUnused(deps.db, sinceMs)) count += ids.length
    const what = `accounts created before ${isoTime(sinceMs)}, never claimed and not used since`
    if (count > 0 && !options.yes) {
      writeErrorLine(`${count} ${what}.`)
      requireConfirmable(options)
      await confirm('Permanently delete them?', options)
    }
    const deleted = await deleteUnclaimedUnused(deps, sinceMs, new AbortController().signal)
    if (deleted > 0) await eraseRest(deps)
    if (options.json) writeJson({ unclaimedSince: isoTime(sinceMs), deleted })
    else writeLine(`Deleted: ${deleted} ${what}.`)
  })
}

export async function eraseRest({ db }: CoreDeps): Promise<void> {
  say('deleting its rows')
  await eraseDeleted(db, new AbortController().signal)
}
