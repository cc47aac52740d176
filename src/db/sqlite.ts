/** The embedded database: Kysely on `node:sqlite`, durable at every commit. */
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { CompiledQuery, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver, SqliteQueryCompiler } from 'kysely'
import type { DatabaseConnection, SelectModifierNode, SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import { ensureFolder } from '../lib/data-folder.ts'
import type { Db, Tables } from './db.ts'
import { shareFile } from './file-lock.ts'

/**
 * Opens a database file, making it and its folder where they are missing.
 * @param path the file
 * @throws the platform's error when the folder or the file cannot be made or written, and while somebody has it alone
 */
export function openSqlite(path: string): Db {
  ensureFolder(dirname(path))
  const lock = shareFile(path)
  try {
    return overFile(openFile(path), lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

function openFile(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: 5000 })
  useWriteAheadLog(file)
  // FULL: an answered write survives a power cut, not only a crash of the process. The empty write
  // transaction finds out now, not at the first request, that the file cannot be written.
  file.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    BEGIN IMMEDIATE;
    ROLLBACK;
  `)
  return file
}

/** A database over a file that is open. @param onClosed is called once it is closed */
export function overFile(file: DatabaseSync, onClosed: () => void = () => {}): Db {
  return new Kysely<Tables>({ dialect: new EmbeddedDialect(file, onClosed) })
}

// Of processes that open a new file at once, SQLite fails all but one here without waiting for its turn.
function useWriteAheadLog(file: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return file.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (!isSqliteUnavailable(error) || attempt === 10) throw error
      // This does wait, up to the timeout, until the others are done.
      file.exec('BEGIN IMMEDIATE; ROLLBACK')
    }
  }
}

/** Whether an error says that the embedded database could not serve just now (busy, full, unwritable). */
export function isSqliteUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const unavailable = new Set([SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN])
  return unavailable.has(Number(error.errcode) & 0xff)
}

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14

/** How many prepared statements are kept: preparing one costs more than running it. */
const MOST_PREPARED = 500

function asKyselyDatabase(file: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: MOST_PREPARED })

  // After a change of the schema, by whomever, SQLite prepares a statement again by itself.
  function prepare(sql: string): SqliteStatement {
    const statement = file.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      // One of its own: what is read step by step must not be run again by somebody else meanwhile.
      iterate: (parameters) =>
        file.prepare(sql).iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
    }
  }

  return {
    close: () => file.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known !== undefined) return known
      const statement = prepare(sql)
      prepared.set(sql, statement)
      return statement
    },
  }
}

class EmbeddedDialect extends SqliteDialect {
  readonly #file: DatabaseSync
  readonly #onClosed: () => void

  constructor(file: DatabaseSync, onClosed: () => void) {
    super({ database: asKyselyDatabase(file) })
    this.#file = file
    this.#onClosed = onClosed
  }

  override createDriver() {
    return new ImmediateDriver(this.#file, this.#onClosed)
  }

  override createAdapter() {
    return new TransactionalAdapter()
  }

  override createQueryCompiler() {
    return new LocklessCompiler()
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #file: DatabaseSync
  readonly #onClosed: () => void

  constructor(file: DatabaseSync, onClosed: () => void) {
    super({ database: asKyselyDatabase(file) })
    this.#file = file
    this.#onClosed = onClosed
  }

  override async destroy() {
    await super.destroy()
    this.#onClosed()
  }

  // A deferred transaction that reads and then writes fails at once, without waiting, when another
  // process (the command line) wrote in between; an immediate one waits its turn.
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  // On a full or failing disk SQLite has rolled back by itself; that a second time is an error would
  // hide the first.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#file.isTransaction) await super.rollbackTransaction(connection)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  // True of SQLite, though Kysely's adapter says no: a migration that is cut short leaves nothing.
  override get supportsTransactionalDdl() {
    return true
  }
}

class LocklessCompiler extends SqliteQueryCompiler {
  // SQLite has no locks of rows and needs none: whoever writes is the only one who does.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}
