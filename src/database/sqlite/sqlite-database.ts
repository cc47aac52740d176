import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { CompiledQuery } from 'kysely'
import { ensureFolder, flush, realPathOf } from '../../lib/process/data-folder.ts'
import type { BatchedRead } from '../batched-read.ts'
import type {
  Database,
  PendingSync,
  PoolState,
  PreparedQueries,
  Space,
  Transaction,
  TransactionOptions,
} from '../database.ts'
import { gather } from '../gather.ts'
import { withRetries } from '../retry-transaction.ts'
import type { Tables } from '../tables/tables.ts'
import { BackgroundLog } from './log/background-log.ts'
import type { Background } from './log/background-log.ts'
import { dialectOf } from './dialect.ts'
import { SqliteDriver } from './driver.ts'
import type { RunStatement } from './statement-cache.ts'
import { lockShared } from './file-lock.ts'
import { Session } from './session.ts'
import { LOCK_TIMEOUT_MS, openWithSpace } from './open-file.ts'
import { SpaceReserve } from './log/space-reserve.ts'

/**
 * Creates a missing file and its folder.
 * @throws the platform's error when the folder or file cannot be created or written, or another process has locked the
 * file exclusively
 */
export function openSqlite(path: string, options: Options = {}): SqliteDatabase {
  ensureFolder(dirname(path))
  const lock = lockShared(path)
  try {
    const db = new SqliteDatabase(openWithSpace(path), options, { path: realPathOf(path), release: lock.release })
    // Makes the log's directory entry durable, which syncing the log does not.
    flush(dirname(path))
    return db
  } catch (error) {
    // The file stays open: closing it would checkpoint again, which can succeed without effect after a failed sync.
    lock.release()
    throw error
  }
}

type Options = Readonly<{
  /** Transactions may await other things than their own statements; safe only without concurrent users. */
  allowsOtherWaits?: boolean | undefined
  /** For a service: the event loop waits for no disk. Absent: SQLite syncs each commit itself. */
  background?: Background | undefined
}>

type Opened = Readonly<{ path: string; release: () => void }>

export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly isTransaction = false
  readonly kysely: Kysely<Tables>
  readonly #driver: SqliteDriver
  readonly #noTransaction: Session
  readonly #revoking: Kysely<Tables>
  readonly #reserve: SpaceReserve | undefined
  readonly #log: BackgroundLog | undefined
  readonly #release: (() => void) | undefined
  readonly #gatherers = new Map<unknown, (question: never) => Promise<unknown>>()
  #closed: Promise<void> | undefined

  constructor(file: DatabaseSync, { allowsOtherWaits = false, background }: Options = {}, opened?: Opened) {
    const reserve = opened && new SpaceReserve(opened.path, background?.log)
    const driver = new SqliteDriver(file, { lockTimeoutMs: LOCK_TIMEOUT_MS, allowsOtherWaits, reserve })
    this.#driver = driver
    this.#noTransaction = new Session(driver)
    this.kysely = new Kysely({ dialect: dialectOf(driver, { isRevocation: false }) })
    this.#revoking = new Kysely({ dialect: dialectOf(driver, { isRevocation: true }) })
    this.#release = opened?.release
    this.#reserve = reserve
    if (opened === undefined || reserve === undefined || background === undefined) return
    this.#log = new BackgroundLog(opened.path, file, background, reserve, () => driver.holdWrites())
    driver.useLog(this.#log)
  }

  get query(): Kysely<Tables> {
    return this.kysely
  }

  async runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
    return (await this.#driver.execute(this.#noTransaction, { ...statement, parameters })).rows
  }

  async transaction<T>(
    work: (trx: Transaction) => Promise<T>,
    { isRevocation = false }: TransactionOptions = {},
  ): Promise<T> {
    const driver = this.#driver
    const runOn = (kysely: Kysely<Tables>) =>
      withRetries(() => kysely.transaction().execute((trx) => work(new SqliteTransaction(trx, driver))))
    if (this.#reserve === undefined) return runOn(this.kysely)
    return isRevocation
      ? this.#reserve.revoke(() => runOn(this.#revoking))
      : this.#reserve.write(() => runOn(this.kysely))
  }

  readBatched<Q, R>(read: BatchedRead<Q, R>, question: Q): Promise<R | undefined> {
    let gatherer = this.#gatherers.get(read)
    if (gatherer === undefined) {
      gatherer = gather((questions: readonly Q[]) => this.#readEach(read, questions), undefined, read.isSame)
      this.#gatherers.set(read, gatherer)
    }
    const answer = gatherer(question as never) as Promise<R | undefined>
    // The batch runs in the context of another request.
    return this.#log?.isNoting ? answer.finally(() => this.#log?.noteRead()) : answer
  }

  async #readEach<Q, R>({ readOne }: BatchedRead<Q, R>, questions: readonly Q[]): Promise<(R | undefined)[]> {
    const answers = await this.#driver.readTogether((run) => {
      const snapshot = new Snapshot(this.kysely, run)
      return Promise.all(questions.map((question) => readOne(snapshot, question)))
    })
    return answers.map(([row]) => row)
  }

  noteReads(run: () => void): void {
    if (this.#log === undefined) run()
    else this.#log.noteReads(run)
  }

  pendingSync(of: PendingSync): Promise<void> | undefined {
    return this.#log?.pendingSync(of)
  }

  async ping(): Promise<void> {
    await this.#driver.readTogether(async (run) => run('select 1', []))
    this.#log?.refuseAfterFailure()
  }

  damage(): unknown {
    return this.#driver.damage
  }

  async serverTimeMs(): Promise<undefined> {}

  async space(): Promise<Space | undefined> {
    return this.#reserve?.space()
  }

  pools(): PoolState[] {
    return []
  }

  refuseWaiting(): void {
    this.#driver.refuseWaiting()
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#driver.destroy()
    await this.kysely.destroy()
    await this.#revoking.destroy()
    this.#log?.closeDescriptors()
    this.#release?.()
  }
}

/** Runs batched reads. */
class Snapshot implements PreparedQueries {
  readonly dialect = 'sqlite'
  readonly query: Kysely<Tables>
  readonly #run: RunStatement

  constructor(query: Kysely<Tables>, run: RunStatement) {
    this.query = query
    this.#run = run
  }

  async runPrepared<R>({ sql }: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
    return this.#run(sql, parameters).rows
  }
}

class SqliteTransaction implements Transaction {
  readonly dialect = 'sqlite'
  readonly isTransaction = true
  readonly kysely: Kysely<Tables>
  readonly #driver: SqliteDriver
  readonly #session: Session

  constructor(kysely: Kysely<Tables>, driver: SqliteDriver) {
    this.kysely = kysely
    this.#driver = driver
    this.#session = driver.openSession()
  }

  get query(): Kysely<Tables> {
    return this.kysely
  }

  async runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
    return this.#driver.executeIn(this.#session, { ...statement, parameters }).rows
  }

  async readBatched<Q, R>({ readOne }: BatchedRead<Q, R>, question: Q): Promise<R | undefined> {
    return (await readOne(this, question))[0]
  }
}
