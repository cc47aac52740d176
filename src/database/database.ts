/** The database as the rest of the service sees it: one interface, implemented in `sqlite/` and `postgres/`. */
import type { CompiledQuery, Kysely } from 'kysely'
import type { BatchedRead } from './batched-read.ts'
import type { Tables } from './tables/tables.ts'

/** Which SQL a database speaks. */
export type Dialect = 'sqlite' | 'postgres'

/** Kysely's query builder: each query is built and compiled when it is executed. */
export type QueryBuilder = Pick<
  Kysely<Tables>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'getExecutor'
>

/** What a store's function takes first: the database, or a transaction in it. */
export interface Queries {
  readonly dialect: Dialect
  /** Plain queries. Outside a transaction, a statement that writes is durable when its promise resolves. */
  readonly query: QueryBuilder
  /** All of Kysely, for changes of the schema. */
  readonly kysely: Kysely<Tables>
  readonly isTransaction: boolean
  /** Runs a statement that `prepared` compiled. */
  runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]>
  /** Answers one question of a batched read, never from before it was asked (decision 0004); in a transaction, by itself. */
  readBatched<Q, R>(read: BatchedRead<Q, R>, question: Q): Promise<R | undefined>
}

/** A transaction: ended by the database when the work given to `Database.transaction` ends. */
export interface Transaction extends Queries {
  readonly isTransaction: true
}

/** Who a transaction waits behind: callers of one `subject` run one after the other, and take turns. */
export type Contention = Readonly<{ subject: string; caller: string }>

/** The database of a process. */
export interface Database extends Queries {
  readonly isTransaction: false
  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, none of it happened when it
   * rejects. A transaction that others keep from committing is undone and `work` runs again, so it does nothing
   * outside the database that may not be done twice.
   * @param contention absent: the transaction waits for no other caller
   * @throws {TransactionMisuseError} when `work` awaits anything but statements of this transaction
   * @throws {ContentionTimeoutError} when the writes before it took too long; nothing was done
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, contention?: Contention): Promise<T>
  /** @throws where the database does not answer, or is a standby that may lag behind a revocation */
  ping(): Promise<void>
  /** The database server's clock, in milliseconds since the Unix epoch; `undefined` for the embedded database. */
  serverTimeMs(): Promise<number | undefined>
  /** The state of each connection pool; empty for the embedded database. */
  pools(): PoolState[]
  close(): Promise<void>
}

/** The connections of one pool of this process. */
export type PoolState = Readonly<{
  pool: 'calls' | 'guard'
  inUse: number
  idle: number
  waiting: number
  most: number
}>

/** A transaction's work awaited something other than its own statements, which would keep every other write waiting. */
export class TransactionMisuseError extends Error {
  constructor() {
    super('a transaction awaited something other than its own statements')
    this.name = 'TransactionMisuseError'
  }
}

/** Thrown inside a transaction: what it began with has changed, and all of it has to run again. */
export class RunAgainError extends Error {
  readonly code = '40001'
}
