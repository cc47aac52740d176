/** Makes a PostgreSQL database safe that `pg_restore` has just filled: all of it, or nothing was changed. */
import { sql } from 'kysely'
import { makeSafe } from './after-restore.ts'
import type { MadeSafe, MakeSafeOptions } from './after-restore.ts'
import type { Db } from './db.ts'
import { migrate, migrations, NewerSchemaError, schemaOf } from './migrate.ts'

/** It cannot be done to this database; nothing was changed. The message says why. */
export class InPlaceRefusedError extends Error {}

/**
 * Does it, in one transaction, in which nobody else reads users: a service that starts meanwhile accepts nothing.
 * @param db has one connection only: whoever else is connected is somebody else
 * @throws {InPlaceRefusedError} {NewerSchemaError}
 */
export async function makeSafeInPlace(
  db: Db,
  replaced: Db | undefined,
  options: MakeSafeOptions,
): Promise<MadeSafe & { migrated: string[] }> {
  const { unknown, missing } = await schemaOf(db)
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
  if (missing.length === Object.keys(migrations).length) throw new InPlaceRefusedError('it holds no database of this service: pg_restore into it first')
  if (replaced !== undefined) {
    const lacks = (await schemaOf(replaced)).missing
    if (await hasOthers(replaced)) throw new InPlaceRefusedError('others are connected to the database that is replaced: stop every service first')
    if (lacks.length > 0) throw new InPlaceRefusedError(`the replaced database lacks ${lacks.join(', ')}: run \`paylink-auth migrate\` on it first`)
  }
  if (await hasOthers(db)) throw new InPlaceRefusedError('others are connected to it: stop every service first')
  return db.transaction().execute(async (trx) => {
    await sql`lock table users in access exclusive mode`.execute(trx)
    const migrated = await migrate(trx)
    return { ...(await makeSafe(trx, replaced, options)), migrated }
  })
}

// Of processes that are not the caller's own, some columns are not shown to everybody.
async function hasOthers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
    and coalesce(backend_type, 'client backend') = 'client backend'`.execute(db)
  return (rows[0]?.count ?? 0) > 0
}
