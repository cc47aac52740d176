/**
 * Kysely's driver for one SQLite connection. Transactions run one at a time, a write is durable when its promise
 * resolves, and neither disk syncs nor locks of other processes block the event loop.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { elapsedMs, immediately, nextTurn, wait } from '../../lib/clock.ts'
import { TransactionMisuseError } from '../database.ts'
import { isSqliteBusy } from './errors.ts'
import type { LogSync } from './log-sync.ts'
import { Session } from './session.ts'
import { StatementCache } from './statement-cache.ts'
import type { RunStatement } from './statement-cache.ts'

const LOCK_RETRY_MS = 5
/** How long transactions run back to back before the event loop gets a turn. */
const TURN_MS = 5

type DriverOptions = Readonly<{
  /** Absent: SQLite syncs each commit itself, on the event loop. */
  logSync: LogSync | undefined
  lockTimeoutMs: number
  allowsOtherWaits: boolean
}>

/**
 * One SQLite transaction shared by all transactions of one turn of the event loop, each a savepoint in it. A page that
 * several of them change is written to the log once. Saves 40 % of the processor time of two inserts
 * (docs/decisions/0033).
 */
type Group = { readonly durable: PromiseWithResolvers<void>; isDue: boolean }

export class SqliteDriver implements Driver {
  readonly #file: DatabaseSync
  readonly #options: DriverOptions
  readonly #statements: StatementCache
  /** The session with the open transaction; others must not read its uncommitted data. */
  #owner: Session | undefined
  #group: Group | undefined
  /** Resolves when all transactions queued so far have ended. */
  #lineEnd: Promise<void> = Promise.resolve()
  #turnBeganMs: number | undefined
  #destroyed: Promise<void> | undefined

  constructor(file: DatabaseSync, options: DriverOptions) {
    this.#file = file
    this.#options = options
    this.#statements = new StatementCache(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(this)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const session = connection as Session
    session.ended = Promise.withResolvers()
    session.misuse = undefined
    const before = this.#lineEnd
    this.#lineEnd = session.ended.promise
    await before
    try {
      await this.#takeTurn()
      await this.#whileBusy(() => this.#enter(session))
    } catch (error) {
      session.ended.resolve()
      throw error
    }
    if (this.#options.allowsOtherWaits) return
    // SQL runs synchronously. A transaction still open after a turn of the event loop awaits something else, and would
    // block everybody.
    immediately(() => {
      if (this.#owner === session) this.#cutOff(session)
    })
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const session = connection as Session
    if (session.misuse !== undefined) throw session.misuse
    const group = this.#groupOf(session)
    this.#statements.run('RELEASE member', [])
    this.#end(session)
    await group.durable.promise
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const session = connection as Session
    if (this.#owner !== session) return
    const group = this.#group
    this.#undo()
    this.#end(session)
    // It may have read data of the group, which may still fail to commit.
    await group?.durable.promise
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroy()
    return this.#destroyed
  }

  async #destroy(): Promise<void> {
    await this.#lineEnd
    this.#commitGroup()
    await this.#options.logSync?.close()
    this.#file.close()
  }

  openSession(): Session {
    if (this.#owner === undefined) throw new Error('no transaction is open')
    return this.#owner
  }

  async execute(session: Session, { sql, parameters, query }: CompiledQuery): Promise<QueryResult<never>> {
    if (session.misuse !== undefined) throw session.misuse
    if (session === this.#owner) return this.#runIn(session, sql, parameters)
    const result = await this.#whileBusy(() => {
      // Nothing outside may read data that can still be rolled back.
      this.#commitGroup()
      return this.#statements.run(sql, parameters)
    })
    if (query.kind !== 'SelectQueryNode') await this.#options.logSync?.synced()
    return result
  }

  /**
   * Runs reads in one read transaction: SQLite takes its locks once. `read` starts all statements before it returns.
   * @throws {TransactionMisuseError} for a statement that starts later
   */
  readTogether<T>(read: (run: RunStatement) => T): Promise<T> {
    return this.#whileBusy(() => {
      // Uncommitted writes must not be visible.
      this.#commitGroup()
      let isOver = false
      this.#statements.run('BEGIN', [])
      try {
        return read((sql, parameters) => {
          if (isOver) throw new TransactionMisuseError()
          return this.#statements.run(sql, parameters)
        })
      } finally {
        isOver = true
        // After a disk error SQLite has rolled back by itself.
        if (this.#file.isTransaction) this.#statements.run('COMMIT', [])
      }
    })
  }

  executeIn(session: Session, { sql, parameters }: CompiledQuery): QueryResult<never> {
    if (session !== this.#owner) throw session.misuse ?? new Error('the transaction has ended')
    return this.#runIn(session, sql, parameters)
  }

  #runIn(session: Session, sql: string, parameters: readonly unknown[]): QueryResult<never> {
    const group = this.#groupOf(session)
    try {
      return this.#statements.run(sql, parameters)
    } catch (error) {
      // On a full or failing disk SQLite rolls back by itself.
      if (!this.#file.isTransaction) {
        this.#group = undefined
        group.durable.reject(error)
      }
      throw error
    }
  }

  #groupOf(session: Session): Group {
    if (session !== this.#owner || this.#group === undefined) throw new Error('the transaction was rolled back')
    return this.#group
  }

  // Synchronous: a read in between would commit the group before its first member.
  #enter(session: Session): void {
    this.#group ??= this.#openGroup()
    this.#statements.run('SAVEPOINT member', [])
    this.#owner = session
  }

  #openGroup(): Group {
    this.#file.exec('BEGIN IMMEDIATE')
    const group: Group = { durable: Promise.withResolvers(), isDue: false }
    // Rolled back transactions do not await it.
    group.durable.promise.catch(() => {})
    immediately(() => {
      if (this.#group !== group) return
      if (this.#owner === undefined) this.#commitGroup()
      else group.isDue = true
    })
    return group
  }

  #commitGroup(): void {
    const group = this.#group
    if (group === undefined) return
    this.#group = undefined
    try {
      this.#file.exec('COMMIT')
      group.durable.resolve(this.#options.logSync?.synced())
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
      group.durable.reject(error)
    }
  }

  // A thousand queued transactions must not delay a read.
  async #takeTurn(): Promise<void> {
    if (this.#turnBeganMs === undefined) {
      this.#turnBeganMs = elapsedMs()
      immediately(() => (this.#turnBeganMs = undefined))
    } else if (elapsedMs() - this.#turnBeganMs > TURN_MS) {
      await nextTurn()
      this.#turnBeganMs = undefined
    }
  }

  // Runs while no transaction is open. SQLite's own timeout would block the event loop.
  async #whileBusy<T>(run: () => T): Promise<T> {
    const beganMs = elapsedMs()
    for (;;) {
      while (this.#owner !== undefined) await this.#owner.ended.promise
      try {
        return run()
      } catch (error) {
        if (!isSqliteBusy(error) || elapsedMs() - beganMs > this.#options.lockTimeoutMs) throw error
        await wait(LOCK_RETRY_MS)
      }
    }
  }

  #cutOff(session: Session): void {
    session.misuse = new TransactionMisuseError()
    this.#undo()
    this.#end(session)
  }

  #undo(): void {
    if (this.#group !== undefined) this.#file.exec('ROLLBACK TO member; RELEASE member')
  }

  #end(session: Session): void {
    this.#owner = undefined
    if (this.#group?.isDue) this.#commitGroup()
    session.ended.resolve()
  }
}
