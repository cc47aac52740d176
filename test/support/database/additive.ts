/** What a migration may do while the version before it serves: the rule of CONTRIBUTING.md, for its statements. */
import { createQueryId } from 'kysely'
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../../../src/database/database.ts'

/** Runs a migration in a database and gives the statements it made, whether they succeeded or not. */
export async function statementsOf(db: Database, up: Migration['up']): Promise<string[]> {
  const statements: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(db.query.getExecutor().compileQuery(node, createQueryId()).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await db
    .transaction((trx) => up(trx.kysely.withPlugin(recorder) as Kysely<any>))
    .catch((error: unknown) => statements.push(`-- failed: ${String(error)}`))
  return statements
}

const CREATE_TABLE = /^create table (?:if not exists )?"(\w+)" \((.*)\)$/s
const CREATE_INDEX = /^create (unique )?index (?:if not exists )?"\w+" on "(\w+)" /
const ADD_COLUMN = /^alter table "(\w+)" add column "\w+" (?:text|integer|bigint)( default \S+)?( not null)?$/

/** What of a migration's statements could hurt the version before; those that are not known to be harmless do. */
export function harmIn(statements: readonly string[]): string[] {
  const madeHere = new Set<string>()
  return statements.filter((statement) => {
    const [, made, columns = ''] = CREATE_TABLE.exec(statement) ?? []
    if (made !== undefined) {
      madeHere.add(made)
      // The version before deletes rows, but never those of `users`, and does not know who refers to them.
      return [...columns.matchAll(/references "(\w+)"/g)].some(
        ([, other = '']) => other !== 'users' && !madeHere.has(other),
      )
    }
    const [, unique, indexed = ''] = CREATE_INDEX.exec(statement) ?? []
    if (indexed !== '') return unique !== undefined && !madeHere.has(indexed)
    const [, widened, fallback, notNull] = ADD_COLUMN.exec(statement) ?? []
    return widened === undefined || (notNull !== undefined && fallback === undefined)
  })
}
