/**
 * The mark of an embedded database that `copy-to-postgres` has copied: its rows are out of date, and it lacks later
 * revocations (docs/decisions/0045).
 */
import { EXIT_CONFIG, OperatorError } from '../lib/process/operator-error.ts'

/** A row of `kysely_migration`: backups contain it too, and versions that do not know the mark refuse to start. */
export const MOVED = '9999-strict-moved-to-postgresql'

const WHAT =
  'This database was copied to PostgreSQL by copy-to-postgres and is out of date. It lacks everything since, revocations too. Set DATABASE_URL to the PostgreSQL database'

export class MovedDatabaseError extends OperatorError {
  /** For commands without the option. */
  readonly what = `${WHAT}.`

  constructor() {
    super(`${WHAT}, or add --even-though-moved to use this one.`, EXIT_CONFIG)
    this.name = 'MovedDatabaseError'
  }
}

/** @throws {MovedDatabaseError} */
export function refuseMoved(isMoved: boolean, evenThoughMoved = false): void {
  if (isMoved && !evenThoughMoved) throw new MovedDatabaseError()
}
