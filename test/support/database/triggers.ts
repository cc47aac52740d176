/** Triggers that tests create, with the same behaviour on both databases. */
import { sql } from 'kysely'
import type { Database, Queries } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'

export type Trigger = Readonly<{
  /** For example `before update`, or `after update of leased_until_ms`. */
  on: string
  table: keyof Tables
  /** Condition on `new` and `old`; absent: every row. */
  when?: string
  run?: string
  /** Message of the error that the change fails with; absent: it succeeds. */
  fail?: string
  /** Condition for `fail`, evaluated after `run`; absent: always. */
  failWhen?: string
}>

export function isPostgres(db: Queries): boolean {
  return db.dialect === 'postgres'
}

export async function addTriggers(db: Database, ...triggers: readonly Trigger[]): Promise<() => Promise<void>> {
  const planted = triggers.map((trigger) => Object.assign({ name: `planted_${++count}` }, trigger))
  await db.transaction(async (trx) => {
    for (const trigger of planted) {
      for (const text of isPostgres(db) ? inPostgres(trigger) : inSqlite(trigger))
        await sql.raw(text).execute(trx.query)
    }
  })
  return () =>
    db.transaction(async (trx) => {
      for (const { name, table } of planted) {
        await sql.raw(`drop trigger ${name}${isPostgres(db) ? ` on ${table}` : ''}`).execute(trx.query)
        if (isPostgres(db)) await sql.raw(`drop function ${name}`).execute(trx.query)
      }
    })
}

export async function withPlanted<T>(db: Database, triggers: readonly Trigger[], act: () => Promise<T>): Promise<T> {
  const remove = await addTriggers(db, ...triggers)
  try {
    return await act()
  } finally {
    await remove()
  }
}

let count = 0
type Named = Trigger & Readonly<{ name: string }>

function inSqlite({ name, on, table, when, run, fail, failWhen }: Named): string[] {
  const raise = fail === undefined ? '' : `select raise(abort, '${fail}')${failWhen ? ` where ${failWhen}` : ''};`
  return [
    `create trigger ${name} ${on} on ${table} ${when ? `when ${when} ` : ''}begin ${run ? `${run};` : ''} ${raise} end`,
  ]
}

function inPostgres({ name, on, table, when, run, fail, failWhen }: Named): string[] {
  const raise = fail === undefined ? '' : `if ${failWhen ?? 'true'} then raise exception '${fail}'; end if;`
  return [
    `create function ${name}() returns trigger language plpgsql as
     $$ begin ${run ? `${run};` : ''} ${raise} return coalesce(new, old); end $$`,
    `create trigger ${name} ${on} on ${table} for each row ${when ? `when (${when})` : ''} execute function ${name}()`,
  ]
}
