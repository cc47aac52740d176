/** The one connection to the embedded database's file: statements prepared once, and transactions committed together. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { SqliteAdapter } from 'kysely'
import type { SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import { immediately } from '../lib/clock.ts'
import type { Db, DbTransaction } from './db.ts'

/** How many prepared statements are kept: preparing one costs more than running it. */
const MOST_PREPARED = 500
/** How many transactions are committed together at most: nothing else is done meanwhile. */
const MOST_IN_GROUP = 100

type Member = Readonly<{
  work: (trx: DbTransaction) => Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
}>

/** The file, as whoever has no time for a query builder uses it. */
export class EmbeddedFile {
  readonly #file: DatabaseSync
  readonly #onClosed: () => void
  readonly #prepared = new LRUCache<string, SqliteStatement>({ max: MOST_PREPARED })
  readonly #schemaVersion: StatementSync
  #preparedFor: unknown
  #waiting: Member[] = []
  #isReading = false

  /** @param onClosed is called once it is closed */
  constructor(file: DatabaseSync, onClosed: () => void) {
    this.#file = file
    this.#onClosed = onClosed
    this.#schemaVersion = file.prepare('PRAGMA schema_version')
    // As an object, each row leaves a hidden class behind that only a collection of the whole heap takes away.
    this.#schemaVersion.setReturnArrays(true)
  }

  /** Whether a transaction is under way, of which nobody else may see anything. */
  get isInTransaction(): boolean {
    return this.#file.isTransaction && !this.#isReading
  }

  /** Runs reads as one: going to the file and coming back costs as much as a read. */
  readTogether<T>(reads: () => T): T {
    if (this.#file.isTransaction) return reads()
    this.#file.exec('BEGIN')
    this.#isReading = true
    try {
      this.noticeSchema()
      return reads()
    } finally {
      this.#isReading = false
      // Nothing was written. On an error of the disk SQLite has ended it by itself.
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
    }
  }

  /**
   * Forgets the statements that were prepared for another schema: SQLite would prepare them again by itself, but with
   * columns in another order. Asked where a transaction begins and, outside of one, for each statement.
   */
  noticeSchema(): void {
    const [version] = this.#schemaVersion.get() as unknown as [number]
    if (version === this.#preparedFor) return
    this.#preparedFor = version
    this.#prepared.clear()
  }

  /** The statement of this text, for the schema as it is. */
  prepare(sql: string): SqliteStatement {
    if (!this.#file.isTransaction) this.noticeSchema()
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#file.prepare(sql)
    statement.setReturnArrays(true)
    let columns: readonly string[] | undefined
    const prepared: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: (parameters) => {
        const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
        // Not before it has run: only then has SQLite looked at the schema that others may have changed.
        const names = (columns ??= statement.columns().map(({ name }) => name))
        return rows.map((values) => toRow(names, values))
      },
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      // One of its own: what is read step by step must not be run again by somebody else meanwhile.
      iterate: (parameters) =>
        this.#file.prepare(sql).iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  close(): void {
    if (!this.#file.isOpen) return
    this.#file.close()
    this.#onClosed()
  }

  /**
   * Runs a transaction with the others that are asked for in the same turn of the event loop, one after the other,
   * and commits them by one sync to the disk. One that fails undoes itself only, and what any of them came to is
   * told after the commit (docs/decisions/0023).
   */
  inGroup<T>(db: Db, work: (trx: DbTransaction) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (this.#waiting.push({ work, resolve, reject }) === 1) immediately(() => void this.#commitWaiting(db))
    return promise
  }

  async #commitWaiting(db: Db): Promise<void> {
    const group = this.#waiting.splice(0, MOST_IN_GROUP)
    if (this.#waiting.length > 0) immediately(() => void this.#commitWaiting(db))
    try {
      const outcomes = await db.transaction().execute((trx) => this.#runAll(group, trx))
      for (const tell of outcomes) tell()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async #runAll(group: readonly Member[], trx: DbTransaction): Promise<(() => void)[]> {
    const outcomes: (() => void)[] = []
    for (const { work, resolve, reject } of group) {
      this.#file.exec('SAVEPOINT member')
      try {
        const result = await work(trx)
        this.#file.exec('RELEASE member')
        outcomes.push(() => resolve(result as never))
      } catch (error) {
        // On a full or failing disk SQLite has undone the whole group by itself.
        if (!this.#file.isTransaction) throw error
        this.#file.exec('ROLLBACK TO member; RELEASE member')
        outcomes.push(() => reject(error))
      }
    }
    return outcomes
  }
}

// The platform's own row objects are dictionaries, in which everybody who reads them has to search.
function toRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index]
  return row
}

/** Kysely's adapter, which knows the file. */
export class EmbeddedAdapter extends SqliteAdapter {
  readonly file: EmbeddedFile

  constructor(file: EmbeddedFile) {
    super()
    this.file = file
  }

  // True of SQLite, though Kysely's adapter says no: a migration that is cut short leaves nothing.
  override get supportsTransactionalDdl() {
    return true
  }
}

/** The file behind a database, or `undefined`: it is a server. */
export function embeddedFileOf(db: Db): EmbeddedFile | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof EmbeddedAdapter ? adapter.file : undefined
}
