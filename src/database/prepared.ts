/** Prepared statements: built and compiled once per dialect, then run with new values. */
import type { Compilable, CompiledQuery } from 'kysely'
import type { Dialect, Queries, QueryBuilder, Transaction } from './database.ts'

/** Stands for a value while a statement is built. */
class Placeholder {
  readonly argument: number
  readonly field: string | undefined

  constructor(argument: number, field?: string) {
    this.argument = argument
    this.field = field
  }
}

type Compiled<R> = Readonly<{ statement: CompiledQuery<R>; toParameters: (values: readonly unknown[]) => unknown[] }>

/**
 * A statement for the hot path: building one costs five times what reading a row costs.
 * @param build gets a placeholder for each value, and for a plain object one for each of its fields: it may put them
 * into the query, and never look at them. Objects have the same fields each time
 */
export function prepared<P extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...values: P) => Compilable<R>,
): (db: Queries, ...values: P) => Promise<R[]> {
  const compiled: Partial<Record<Dialect, Compiled<R>>> = {}
  return async (db, ...values) => {
    const { statement, toParameters } = (compiled[db.dialect] ??= compile(build, db.query, values))
    return db.runPrepared(statement, toParameters(values))
  }
}

/** A prepared statement that runs only inside a transaction. */
export function preparedWrite<P extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...values: P) => Compilable<R>,
): (trx: Transaction, ...values: P) => Promise<R[]> {
  return prepared(build)
}

function compile<P extends readonly unknown[], R>(
  build: (query: QueryBuilder, ...values: P) => Compilable<R>,
  query: QueryBuilder,
  values: P,
): Compiled<R> {
  const placeholders = values.map((value, argument) =>
    isPlainObject(value)
      ? Object.fromEntries(Object.keys(value).map((field) => [field, new Placeholder(argument, field)]))
      : new Placeholder(argument),
  )
  const statement = build(query, ...(placeholders as unknown as P)).compile()
  const sources = statement.parameters
  return {
    statement,
    toParameters: (given) => sources.map((source) => (source instanceof Placeholder ? valueOf(source, given) : source)),
  }
}

function valueOf({ argument, field }: Placeholder, values: readonly unknown[]): unknown {
  if (field === undefined) return values[argument]
  const value = (values[argument] as Readonly<Record<string, unknown>>)[field]
  // The statement has a place for it: leaving the column to its default is no longer possible.
  if (value === undefined) throw new TypeError(`there is no value for ${field}`)
  return value
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
