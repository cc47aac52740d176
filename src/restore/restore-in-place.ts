/** Makes a PostgreSQL database safe after `pg_restore`, or leaves it unchanged. */
import { sql } from 'kysely'
import { makeSafe } from './make-safe.ts'
import type { MakeSafeCounts, MakeSafeOptions } from './make-safe.ts'
import type { Database } from '../database/database.ts'
import { migrate, migrations, NewerSchemaError, schemaOf } from '../database/migrate.ts'

/** The database cannot be made safe; nothing was changed. The message says why. */
export class InPlaceRefusedError extends Error {}

/**
 * One transaction with an exclusive lock on `users`: a service that starts during it accepts nothing.
 * @param db has one connection, so that every other connection is another client's
 * @throws {InPlaceRefusedError} {NewerSchemaError}
 */
export async function makeSafeInPlace(
  db: Database,
  replaced: Database | undefined,
  options: MakeSafeOptions,
): Promise<MakeSafeCounts & { migrated: string[] }> {
  const { unknown, missing } = await schemaOf(db)
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
  if (missing.length === Object.keys(migrations).length)
    throw new InPlaceRefusedError('it holds no database of this service: pg_restore into it first')
  if (replaced !== undefined) {
    const lacks = (await schemaOf(replaced)).missing
    await refuseOthers(replaced, 'the replaced database')
    if (lacks.length > 0)
      throw new InPlaceRefusedError(
        `the replaced database lacks ${lacks.join(', ')}: run \`paylink-auth migrate\` on it first`,
      )
  }
  await refuseOthers(db, 'it')
  return db.transaction(async (trx) => {
    await sql`lock table users in access exclusive mode`.execute(trx.query)
    const migrated = await migrate(trx)
    return { ...(await makeSafe(trx, replaced, options)), migrated }
  })
}

// PostgreSQL hides some columns about other users' connections.
async function refuseOthers(db: Database, what: string): Promise<void> {
  const { rows } = await sql<{ who: string }>`
    select distinct coalesce(nullif(application_name, ''), 'somebody') || ' by ' || coalesce(usename, '?') as who
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
    and coalesce(backend_type, 'client backend') = 'client backend' limit 5`.execute(db.query)
  if (rows.length === 0) return
  const who = rows.map((row) => row.who).join(', ')
  throw new InPlaceRefusedError(
    `other clients are connected to ${what} (${who}): stop every service and disconnect the others first`,
  )
}
