/** Finds damage of a PostgreSQL database with SELECT statements, without the extension amcheck. */
import { sql } from 'kysely'
import type { Database, Transaction } from '../database.ts'

const TABLES = sql<{ name: string }>`
  select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`

const UNIQUE_INDEXES = sql<{ name: string; table: string; columns: string[]; valid: boolean }>`
  select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as "table", i.indisvalid as valid,
    array(select quote_ident(a.attname) from unnest(i.indkey) with ordinality k(attnum, n)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by k.n) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = current_schema()::regnamespace
    and i.indisunique and i.indpred is null and i.indexprs is null order by 1`

const FOREIGN_KEYS = sql<{ name: string; table: string; parent: string; pairs: string; complete: string }>`
  select f.conname as name, f.conrelid::regclass::text as "table", f.confrelid::regclass::text as parent,
    (select string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' and ')
      from unnest(f.conkey, f.confkey) k(child, parent)
      join pg_attribute ca on ca.attrelid = f.conrelid and ca.attnum = k.child
      join pg_attribute pa on pa.attrelid = f.confrelid and pa.attnum = k.parent) as pairs,
    (select string_agg(format('c.%I is not null', a.attname), ' and ')
      from unnest(f.conkey) k(child) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.child) as complete
  from pg_constraint f
  where f.contype = 'f' and f.connamespace = current_schema()::regnamespace order by 1`

/**
 * Reads every row with all its values, looks for duplicates in every unique index, and follows every foreign key.
 * Indexes are not used, because a damaged one hides what it lacks.
 * @returns the first problem found, or the number of rows read
 * @throws the server's error when it cannot read a page
 */
export function checkDeeply(db: Database): Promise<Readonly<{ problem: string } | { rows: number }>> {
  return db.transaction(async (trx) => {
    await sql`set local enable_indexscan = off`.execute(trx.query)
    await sql`set local enable_indexonlyscan = off`.execute(trx.query)
    await sql`set local enable_bitmapscan = off`.execute(trx.query)
    let rows = 0
    for (const { name } of (await TABLES.execute(trx.query)).rows) {
      rows += await count(trx, `select count(r::text) as count from ${name} r`)
    }
    for (const { name, table, columns, valid } of (await UNIQUE_INDEXES.execute(trx.query)).rows) {
      if (!valid) return { problem: `the index ${name} is not valid` }
      const isComplete = columns.map((column) => `${column} is not null`).join(' and ')
      const groups = `select 1 from ${table} where ${isComplete} group by ${columns.join(', ')} having count(*) > 1`
      const twice = await count(trx, `select count(*) as count from (${groups}) g`)
      if (twice > 0) return { problem: `${table} has ${twice} duplicates in the unique index ${name}` }
    }
    for (const { name, table, parent, pairs, complete } of (await FOREIGN_KEYS.execute(trx.query)).rows) {
      const orphans = `from ${table} c where ${complete} and not exists (select 1 from ${parent} p where ${pairs})`
      const lost = await count(trx, `select count(*) as count ${orphans}`)
      if (lost > 0) return { problem: `${lost} rows of ${table} refer to rows that ${parent} lacks (${name})` }
    }
    return { rows }
  })
}

/** @param statement made of names that the server has quoted */
async function count(trx: Transaction, statement: string): Promise<number> {
  const { rows } = await sql.raw<{ count: number }>(statement).execute(trx.query)
  return rows[0]?.count ?? 0
}
