/** The embedded database: Kysely on `node:sqlite`, durable at every commit. */
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver, SqliteQueryCompiler } from 'kysely'
import type { DatabaseConnection, SelectModifierNode } from 'kysely'
import { ensureFolder } from '../lib/data-folder.ts'
import type { Db, Tables } from './db.ts'
import { EmbeddedAdapter, EmbeddedFile } from './embedded-file.ts'
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
  // transaction finds out now, not at the first request, that the file cannot be written. What a member of a group
  // could have to undo stays in memory: a file for it could not be opened where there are no descriptors left.
  file.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
    BEGIN IMMEDIATE;
    ROLLBACK;
  `)
  return file
}

/** A database over a file that is open. @param onClosed is called once it is closed */
export function overFile(file: DatabaseSync, onClosed: () => void = () => {}): Db {
  return new EmbeddedDatabase(new EmbeddedFile(file, onClosed))
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

class EmbeddedDatabase extends Kysely<Tables> {
  readonly #file: EmbeddedFile

  constructor(file: EmbeddedFile) {
    super({ dialect: new EmbeddedDialect(file) })
    this.#file = file
  }

  // Kysely does not close what it was never asked to query itself.
  override async destroy() {
    await super.destroy()
    this.#file.close()
  }
}

class EmbeddedDialect extends SqliteDialect {
  readonly #file: EmbeddedFile

  constructor(file: EmbeddedFile) {
    super({ database: file })
    this.#file = file
  }

  override createDriver() {
    return new ImmediateDriver(this.#file)
  }

  override createAdapter() {
    return new EmbeddedAdapter(this.#file)
  }

  override createQueryCompiler() {
    return new LocklessCompiler()
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #file: EmbeddedFile

  constructor(file: EmbeddedFile) {
    super({ database: file })
    this.#file = file
  }

  // A deferred transaction that reads and then writes fails at once, without waiting, when another
  // process (the command line) wrote in between; an immediate one waits its turn.
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    this.#file.noticeSchema()
  }

  // On a full or failing disk SQLite has rolled back by itself; that a second time is an error would
  // hide the first.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#file.isInTransaction) await super.rollbackTransaction(connection)
  }
}

class LocklessCompiler extends SqliteQueryCompiler {
  // SQLite has no locks of rows and needs none: whoever writes is the only one who does.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}
