/** Caches prepared statements: preparing one costs more than running it. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isSqliteDamaged } from './errors.ts'

const MAX_STATEMENTS = 500

type Run = (parameters: readonly unknown[]) => QueryResult<never>

/** Runs a statement at once, on the event loop. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => QueryResult<never>

export class StatementCache {
  readonly #file: DatabaseSync
  #damage: unknown
  readonly #statements = new LRUCache<string, Run>({ max: MAX_STATEMENTS })

  constructor(file: DatabaseSync) {
    this.#file = file
  }

  /** The first error that found the file damaged. Later statements may succeed, on pages that are whole. */
  get damage(): unknown {
    return this.#damage
  }

  run(sql: string, parameters: readonly unknown[]): QueryResult<never> {
    try {
      return this.#run(sql, parameters)
    } catch (error) {
      if (isSqliteDamaged(error)) this.#damage ??= error
      throw error
    }
  }

  #run(sql: string, parameters: readonly unknown[]): QueryResult<never> {
    let run = this.#statements.get(sql)
    if (run === undefined) {
      run = this.#prepare(sql)
      this.#statements.set(sql, run)
    }
    return run(parameters)
  }

  #prepare(sql: string): Run {
    const statement = this.#file.prepare(sql)
    if (statement.columns().length === 0) {
      return (parameters) => {
        const { changes } = statement.run(...(parameters as SQLInputValue[]))
        return { rows: [], numAffectedRows: BigInt(changes) }
      }
    }
    // Arrays: node:sqlite's row objects are dictionaries, and each leaves a hidden class in the old space.
    statement.setReturnArrays(true)
    // After a schema change by another process SQLite re-prepares a statement, possibly with another column order. Node
    // 24 cannot tell when it did, so there the names are read each time.
    const timesPrepared = () => (hasCounters(statement) ? statement.stat('reprepare') : Number.NaN)
    let columns: readonly string[] = []
    let columnsAt: number | undefined
    return (parameters) => {
      const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
      const at = timesPrepared()
      if (at !== columnsAt) {
        columnsAt = at
        columns = statement.columns().map(({ name }) => name)
      }
      return { rows: rows.map((values) => toRow(columns, values)) as never[] }
    }
  }
}

type Counters = Readonly<{ stat(counter: 'reprepare'): number }>

function hasCounters(statement: object): statement is Counters {
  return 'stat' in statement
}

function toRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index]
  return row
}
