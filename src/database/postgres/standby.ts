/** Reads that say whether the server takes writes: one that does not lags behind what is revoked. */
import { sql } from 'kysely'
import { StandbyError } from './errors.ts'

/** A column for a read on PostgreSQL. */
export const readOnly = sql<string>`current_setting('transaction_read_only')`.as('read_only')

/** @throws {StandbyError} where that column says so */
export function refuseStandby(isReadOnly: string | undefined): void {
  if (isReadOnly !== 'off') throw new StandbyError()
}
