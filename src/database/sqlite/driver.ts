/**
 * Kysely's driver for one SQLite connection. Transactions run one at a time, a write is durable when its promise
 * resolves, and neither disk syncs nor locks of other processes block the event loop.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { elapsedMs, immediately, wait } from '../../lib/clock.ts'
import { TransactionMisuseError } from '../database.ts'
import { withRetries } from '../retry-transaction.ts'
import { CommitGroup } from './commit-group.ts'
import type { CommitLog } from './commit-log.ts'
import { isSqliteBusy, isSqliteFull } from './errors.ts'
import type { SpaceReserve } from './log/space-reserve.ts'
import { readTogether } from './read-together.ts'
import { isRowChange, mayHaveChanged } from './row-changes.ts'
import { Session } from './session.ts'
import { StatementCache } from './statement-cache.ts'
import type { RunStatement } from './statement-cache.ts'
import { TurnBudget } from './turn-budget.ts'

const LOCK_RETRY_MS = 5
/** After a group had to run again. Otherwise calls that fail could make those of others run again all the time. */
const SAVEPOINTS_FOR_MS = 10_000

type Statement = Pick<CompiledQuery, 'sql' | 'parameters' | 'query'>

type DriverOptions = Readonly<{ lockTimeoutMs: number; allowsOtherWaits: boolean; reserve?: SpaceReserve | undefined }>

export class SqliteDriver implements Driver {
  readonly #file: DatabaseSync
  readonly #options: DriverOptions
  readonly #statements: StatementCache
  /** Absent: SQLite syncs each commit itself, on the event loop. */
  #log: CommitLog | undefined
  /** The session with the open transaction; others must not read its uncommitted data. */
  #owner: Session | undefined
  #group: CommitGroup | undefined
  /** Resolves when all transactions queued so far have ended. */
  #lineEnd: Promise<void> = Promise.resolve()
  readonly #turn = new TurnBudget()
  #savepointsUntilMs = 0
  /** What began to wait for a lock before this is refused. */
  #refusedBeforeMs = -Infinity
  /** Writes wait for it; reads do not. */
  #held: PromiseWithResolvers<void> | undefined
  #destroyed: Promise<void> | undefined

  constructor(file: DatabaseSync, options: DriverOptions) {
    this.#file = file
    this.#options = options
    this.#statements = new StatementCache(file)
  }

  get damage(): unknown {
    return this.#statements.damage
  }

  /** Call it before the first write. */
  useLog(log: CommitLog): void {
    this.#log = log
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
    session.hasChanged = false
    const beganMs = elapsedMs()
    const before = this.#lineEnd
    this.#lineEnd = session.ended.promise
    await before
    try {
      await this.#turn.take()
      await this.#whileBusy(() => this.#enter(session), true, beganMs)
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
    if (session.hasSavepoint) this.#statements.run('RELEASE member', [])
    group.hasMembers = true
    this.#end(session)
    await group.durable
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const session = connection as Session
    if (this.#owner !== session) return
    const group = this.#group
    this.#undo(session)
    this.#end(session)
    // It may have read data of the group, which may still fail to commit, or run again.
    await group?.durable
  }

  /** Writes wait, and reads go on, until the returned function is called. */
  holdWrites(): () => void {
    if (this.#owner === undefined) this.#commitGroup()
    else if (this.#group !== undefined) this.#group.isDue = true
    const held = Promise.withResolvers<void>()
    this.#held = held
    return () => {
      this.#held = undefined
      held.resolve()
    }
  }

  /** Refuses what waits for another process's lock, as at the end of its time. */
  refuseWaiting(): void {
    this.#refusedBeforeMs = elapsedMs()
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroy()
    return this.#destroyed
  }

  async #destroy(): Promise<void> {
    // Transactions may be queued meanwhile.
    for (let end: Promise<void> | undefined; end !== this.#lineEnd;) {
      end = this.#lineEnd
      await end
      this.#commitGroup()
    }
    await this.#log?.close()
    this.#commitGroup()
    this.#file.close()
  }

  openSession(): Session {
    if (this.#owner === undefined) throw new Error('no transaction is open')
    return this.#owner
  }

  async execute(session: Session, { sql, parameters, query }: CompiledQuery): Promise<QueryResult<never>> {
    if (session.misuse !== undefined) throw session.misuse
    if (session === this.#owner) return this.#runIn(session, { sql, parameters, query })
    // A transaction of its own, which shares the commit of its turn.
    if (isRowChange(query)) {
      const run = () => withRetries(() => this.#runAlone({ sql, parameters, query }))
      return this.#options.reserve?.write(run) ?? run()
    }
    // A change of the schema, for example.
    const isWrite = query.kind !== 'SelectQueryNode'
    let durable: Promise<void> | undefined
    const result = await this.#whileBusy(() => {
      // Nothing outside may read data that can still be rolled back.
      this.#commitGroup()
      if (isWrite) this.#log?.refuseWhenFull()
      const done = this.#statements.run(sql, parameters)
      if (isWrite) durable = this.#log?.committed()
      else this.#log?.noteRead()
      return done
    }, isWrite)
    await durable
    return result
  }

  async #runAlone(statement: Statement): Promise<QueryResult<never>> {
    const session = new Session(this)
    await this.beginTransaction(session)
    try {
      const done = this.#runIn(session, statement)
      await this.commitTransaction(session)
      return done
    } catch (error) {
      await this.rollbackTransaction(session)
      throw error
    }
  }

  /**
   * Runs reads in one read transaction. `read` starts all statements before it returns.
   * @throws {TransactionMisuseError} for a statement that starts later
   */
  readTogether<T>(read: (run: RunStatement) => Promise<T>): Promise<T> {
    return this.#whileBusy(() => {
      // Uncommitted writes must not be visible.
      this.#commitGroup()
      return readTogether(this.#file, this.#statements, read)
    }, false)
  }

  executeIn(session: Session, statement: Statement): QueryResult<never> {
    if (session !== this.#owner) throw session.misuse ?? new Error('the transaction has ended')
    return this.#runIn(session, statement)
  }

  #runIn(session: Session, { sql, parameters, query }: Statement): QueryResult<never> {
    const group = this.#groupOf(session)
    try {
      const done = this.#statements.run(sql, parameters)
      session.hasChanged ||= mayHaveChanged(query, done)
      return done
    } catch (error) {
      // On a full or failing disk SQLite rolls back by itself.
      if (!this.#file.isTransaction) {
        this.#group = undefined
        group.fail(error)
        this.#noteIfFull(error)
      }
      throw error
    }
  }

  #groupOf(session: Session): CommitGroup {
    if (session !== this.#owner || this.#group === undefined) throw new Error('the transaction was rolled back')
    return this.#group
  }

  // Synchronous: a read in between would commit the group before its first member.
  #enter(session: Session): void {
    if (!session.isRevocation) this.#log?.refuseWhenFull()
    this.#group ??= this.#openGroup()
    session.hasSavepoint = elapsedMs() < this.#savepointsUntilMs
    if (session.hasSavepoint) this.#statements.run('SAVEPOINT member', [])
    this.#owner = session
  }

  #openGroup(): CommitGroup {
    const group = new CommitGroup(this.#file)
    immediately(() => {
      if (this.#group !== group) return
      if (this.#owner === undefined) this.#commitGroup()
      else group.isDue = true
    })
    return group
  }

  #commitGroup(): void {
    const group = this.#group
    this.#group = undefined
    this.#noteIfFull(group?.commit(() => this.#log?.committed()))
  }

  #noteIfFull(error: unknown): void {
    if (isSqliteFull(error)) this.#log?.noteFull()
  }

  // Runs while no transaction is open. SQLite's own timeout would block the event loop.
  async #whileBusy<T>(run: () => T | Promise<T>, isWrite: boolean, beganMs = elapsedMs()): Promise<T> {
    for (;;) {
      for (let ahead = this.#ahead(isWrite); ahead !== undefined; ahead = this.#ahead(isWrite)) await ahead.promise
      try {
        return run()
      } catch (error) {
        const isOver = elapsedMs() - beganMs > this.#options.lockTimeoutMs || beganMs < this.#refusedBeforeMs
        if (!isSqliteBusy(error) || isOver) throw error
        this.#log?.refuseAfterFailure()
        await wait(LOCK_RETRY_MS)
      }
    }
  }

  #ahead = (isWrite: boolean) => this.#owner?.ended ?? (isWrite ? this.#held : undefined)

  #cutOff(session: Session): void {
    session.misuse = new TransactionMisuseError()
    this.#undo(session)
    this.#end(session)
  }

  #undo({ hasSavepoint, hasChanged }: Session): void {
    const group = this.#group
    if (group === undefined) return
    if (hasSavepoint) this.#file.exec('ROLLBACK TO member; RELEASE member')
    else if (hasChanged) {
      this.#group = undefined
      if (group.hasMembers) this.#savepointsUntilMs = elapsedMs() + SAVEPOINTS_FOR_MS
      group.rollBack(() => this.#log?.committed())
    }
  }

  #end(session: Session): void {
    this.#owner = undefined
    if (this.#group?.isDue) this.#commitGroup()
    session.ended.resolve()
  }
}
