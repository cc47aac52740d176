/** What a migration may do while the previous version still serves: the rule of CONTRIBUTING.md. */
import { createQueryId } from 'kysely'
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from '../../../src/database/database.ts'

/** Runs a migration and returns its statements, whether or not they succeeded. */
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
const DROP_INDEX = /^drop index "\w+"$/
const ADD_COLUMN = /^alter table "(\w+)" add column "\w+" (?:text|integer|bigint)( default \S+)?( not null)?$/

/** The statements that could break the previous version; any that is not known to be harmless counts. */
export function incompatibleStatements(statements: readonly string[]): string[] {
  const madeHere = new Set<string>()
  let makesIndex = false
  return statements.filter((statement) => {
    const [, made, columns = ''] = CREATE_TABLE.exec(statement) ?? []
    if (made !== undefined) {
      madeHere.add(made)
      // The previous version deletes rows of any table except `users`, and does not know the new references.
      return [...columns.matchAll(/references "(\w+)"/g)].some(
        ([, other = '']) => other !== 'users' && !madeHere.has(other),
      )
    }
    const [, unique, indexed = ''] = CREATE_INDEX.exec(statement) ?? []
    if (indexed !== '') {
      makesIndex ||= unique === undefined
      return unique !== undefined && !madeHere.has(indexed)
    }
    // Only as a replacement, so that the queries of the previous version stay fast.
    if (DROP_INDEX.test(statement)) return !makesIndex
    const [, widened, fallback, notNull] = ADD_COLUMN.exec(statement) ?? []
    return widened === undefined || (notNull !== undefined && fallback === undefined)
  })
}
