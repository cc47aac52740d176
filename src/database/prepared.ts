import { sql } from 'kysely'
import type { Compilable, CompiledQuery, Expression } from 'kysely'
import type { Dialect, PreparedQueries, QueryBuilder, Transaction } from './database.ts'

/** Placeholder for a value while a statement is built; usable in the query only. */
export type Parameter<T> = Expression<T>

export type RowParameters<Row> = { readonly [Column in keyof Row]-?: Parameter<Row[Column]> }

type ValueOf<P> =
  P extends Parameter<infer T> ? T : { readonly [Field in keyof P]: P[Field] extends Parameter<infer T> ? T : never }
type ValuesOf<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: ValueOf<Parameters[Index]> }

/**
 * For the hot path: building a statement costs five times as much as reading a row.
 * @param build called once per dialect, with a parameter per value, or per field of an object value
 */
export function prepared<Parameters extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...parameters: Parameters) => Compilable<R>,
): (db: PreparedQueries, ...values: ValuesOf<Parameters>) => Promise<R[]> {
  const compiled: Partial<Record<Dialect, Compiled<R>>> = {}
  return async (db, ...values) => {
    const { statement, toParameters } = (compiled[db.dialect] ??= compile(build, db.query, values))
    return db.runPrepared(statement, toParameters(values))
  }
}

/** As `prepared`, for a statement that answers with one row at most. */
export function preparedRow<Parameters extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...parameters: Parameters) => Compilable<R>,
): (db: PreparedQueries, ...values: ValuesOf<Parameters>) => Promise<R | undefined> {
  const rows = prepared(build)
  return async (db, ...values) => (await rows(db, ...values))[0]
}

/** As `prepared`, for a statement that only makes sense in a transaction: one of several writes, or a lock. */
export function preparedInTransaction<Parameters extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...parameters: Parameters) => Compilable<R>,
): (trx: Transaction, ...values: ValuesOf<Parameters>) => Promise<R[]> {
  return prepared(build)
}

type Compiled<R> = Readonly<{ statement: CompiledQuery<R>; toParameters: (values: readonly unknown[]) => unknown[] }>

class Placeholder {
  readonly argument: number
  readonly field: string | undefined

  constructor(argument: number, field?: string) {
    this.argument = argument
    this.field = field
  }
}

function compile<R>(
  build: (query: QueryBuilder, ...parameters: never) => Compilable<R>,
  query: QueryBuilder,
  values: readonly unknown[],
): Compiled<R> {
  const placeholders = values.map((value, argument) =>
    isPlainObject(value)
      ? Object.fromEntries(Object.keys(value).map((field) => [field, sql.val(new Placeholder(argument, field))]))
      : sql.val(new Placeholder(argument)),
  )
  const statement = build(query, ...(placeholders as never)).compile()
  const sources = statement.parameters
  const fields = values.map((value) => (isPlainObject(value) ? Object.keys(value).length : 0))
  return {
    statement,
    toParameters(given) {
      for (const [argument, count] of fields.entries()) {
        if (count > 0 && Object.keys(given[argument] as object).length !== count)
          throw new TypeError('the fields differ from those the statement was prepared with')
      }
      return sources.map((source) => (source instanceof Placeholder ? valueOf(source, given) : source))
    },
  }
}

function valueOf({ argument, field }: Placeholder, values: readonly unknown[]): unknown {
  if (field === undefined) return values[argument]
  const value = (values[argument] as Readonly<Record<string, unknown>>)[field]
  // The column is part of the statement, so its default cannot apply.
  if (value === undefined) throw new TypeError(`missing value for the prepared statement's field ${field}`)
  return value
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
