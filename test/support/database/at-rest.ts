import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import { isPostgres } from './triggers.ts'

/** What a thief of the disk could read, as one text: the file and its log, or every row of every PostgreSQL table. */
export async function textAtRest(db: Database): Promise<string> {
  if (isPostgres(db)) return everyRow(db)
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db.query)
  const files = rows.flatMap(({ file }) => [file, `${file}-wal`]).filter((file) => existsSync(file))
  return files.map((file) => readFileSync(file, 'latin1')).join('\n')
}

async function everyRow(db: Database): Promise<string> {
  const tables = await db.kysely.introspection.getTables({ withInternalKyselyTables: true })
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} as t`.execute(db.query)
    texts.push(name, ...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
