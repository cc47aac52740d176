/** Queries for the hot path: built once, afterwards only given new values. */
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './db.ts'
import { embeddedFileOf } from './embedded-file.ts'

/** Stands for a value while a query is built. */
class Placeholder {
  readonly argument: number
  readonly field: string | undefined

  constructor(argument: number, field?: string) {
    this.argument = argument
    this.field = field
  }
}

type Compiled<R> = Readonly<{ query: CompiledQuery<R>; toParameters: (values: readonly unknown[]) => unknown[] }>

/**
 * A query that is built on its first run against a database, because building one costs five times what reading the
 * row does.
 * @param build makes the query. What it gets for each argument only stands for it, and for a row or another plain
 * object stands field by field: it may be put into the query, and not be looked at. Rows have the same fields each time
 */
export function compiledOnce<D extends Db, P extends readonly unknown[], R>(
  build: (db: D, ...values: P) => Compilable<R>,
): (db: D, ...values: P) => Promise<R[]> {
  // By the adapter, which a database and its transactions have in common.
  const known = new WeakMap<object, Compiled<R>>()
  return async (db, ...values) => {
    const { adapter, plugins } = db.getExecutor()
    // A plugin looks at what is built.
    if (plugins.length > 0) return (await db.executeQuery(build(db, ...values))).rows
    let compiled = known.get(adapter)
    if (compiled === undefined) {
      compiled = compile(build, db, values)
      known.set(adapter, compiled)
    }
    const parameters = compiled.toParameters(values)
    const file = embeddedFileOf(db)
    // At once, but never within a transaction of somebody else's.
    if (file !== undefined && (db.isTransaction || !file.isInTransaction)) {
      return file.prepare(compiled.query.sql).all(parameters) as R[]
    }
    return (await db.executeQuery<R>({ ...compiled.query, parameters })).rows
  }
}

function compile<D extends Db, P extends readonly unknown[], R>(
  build: (db: D, ...values: P) => Compilable<R>,
  db: D,
  values: P,
): Compiled<R> {
  const placeholders = values.map((value, argument) =>
    isPlainObject(value)
      ? Object.fromEntries(Object.keys(value).map((field) => [field, new Placeholder(argument, field)]))
      : new Placeholder(argument),
  )
  const query = build(db, ...(placeholders as unknown as P)).compile()
  const sources = query.parameters
  return {
    query,
    toParameters: (given) => sources.map((source) => (source instanceof Placeholder ? valueOf(source, given) : source)),
  }
}

function valueOf({ argument, field }: Placeholder, values: readonly unknown[]): unknown {
  if (field === undefined) return values[argument]
  const value = (values[argument] as Readonly<Record<string, unknown>>)[field]
  // The query has a place for it: a column's default, which the builder would leave it to, is not an option any more.
  if (value === undefined) throw new TypeError(`there is no value for ${field}`)
  return value
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
