/** The database interface, implemented in `sqlite/` and `postgres/`. */
import type { CompiledQuery, Kysely } from 'kysely'
import type { BatchedRead } from './batched-read.ts'
import type { Tables } from './tables/tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Queries are built and compiled on each execution. */
export type QueryBuilder = Pick<
  Kysely<Tables>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'getExecutor'
>

/** What a statement of `prepared` needs. */
export interface PreparedQueries {
  readonly dialect: Dialect
  /** Outside a transaction, a write is durable when its promise resolves. */
  readonly query: QueryBuilder
  runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]>
}

/** The database, or a transaction in it. */
export interface Queries extends PreparedQueries {
  /** The full Kysely instance, for schema changes. */
  readonly kysely: Kysely<Tables>
  readonly isTransaction: boolean
  /** The answer is never older than the call (decision 0004). Inside a transaction it is not batched. */
  readBatched<Q, R>(read: BatchedRead<Q, R>, question: Q): Promise<R | undefined>
}

/** Ends when the work passed to `Database.transaction` ends. */
export interface Transaction extends Queries {
  readonly isTransaction: true
}

/**
 * Transactions on one `subject` run one at a time, with round-robin among callers. Those that wait may be committed
 * together, each in a savepoint.
 */
export type Contention = Readonly<{
  subject: string
  caller: string
  /** Takes locks that come before the subject's (docs/decisions/0016), so it cannot follow another in its transaction. */
  locksBefore: boolean
}>

export type TransactionOptions = Readonly<{
  /** Absent: no queueing behind other callers. */
  contention?: Contention | undefined
  /**
   * The work ends access: of a token, a key or an account. On a full disk it takes space that other writes must not take
   * (docs/decisions/0047). For the embedded database; a server has no such space.
   */
  isRevocation?: boolean | undefined
}>

/** `access`: of all commits so far, only those that end a user's tokens or give access back (docs/decisions/0040). */
export type PendingSync = 'all' | 'access'

export interface Database extends Queries {
  readonly isTransaction: false
  /**
   * Runs `work` in one transaction: durable when the promise resolves, rolled back when it rejects. `work` runs again
   * after conflicts with other transactions, so its effects outside the database must be repeatable.
   * @throws {TransactionMisuseError} when `work` awaits anything but statements of this transaction
   * @throws {ContentionTimeoutError} when earlier writes took too long; nothing was done
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs a request, noting what it reads for `pendingSync`. */
  noteReads(run: () => void): void
  /**
   * Resolves when the commits that the request may have read outside of transactions, or all commits where nothing was
   * noted, are on disk. Undefined: they are; a server makes a commit visible only then.
   */
  pendingSync(of: PendingSync): Promise<void> | undefined
  /** @throws when the database does not answer, or is a standby that may lag behind a revocation */
  ping(): Promise<void>
  /** The first error of a statement that found the embedded database damaged; a server reports its own. */
  damage(): unknown
  /** The server's clock, in milliseconds since the Unix epoch; `undefined` for the embedded database. */
  serverTimeMs(): Promise<number | undefined>
  /** `undefined` for a server, which does not tell. */
  space(): Promise<Space | undefined>
  /** Empty for the embedded database. */
  pools(): PoolState[]
  /**
   * Refuses what waits for another process's lock, as at the end of its time; nothing was done. A server has limits of
   * its own, which are shorter.
   */
  refuseWaiting(): void
  close(): Promise<void>
}

/** Of the disk that holds the embedded database. */
export type Space = Readonly<{
  freeBytes: number
  /** Whether the space for revocations on a full disk is there. */
  isReserveWhole: boolean
  /** Whether writes are refused because the disk is full, except for revocations. */
  isFull: boolean
}>

/** Connections of one pool of this process; `max` is its size. */
export type PoolState = Readonly<{
  pool: 'calls' | 'guard'
  inUse: number
  idle: number
  waiting: number
  max: number
}>

/** Waiting for anything else inside a transaction would block all other writes. */
export class TransactionMisuseError extends Error {
  constructor() {
    super('a transaction awaited something other than its own statements')
    this.name = 'TransactionMisuseError'
  }
}

/**
 * Whether a statement conflicts with a unique value that another transaction has just committed. Only on PostgreSQL: the
 * embedded database has one writer, which can check first.
 */
export const isUniqueViolation = (error: unknown): boolean =>
  ((error ?? {}) as Readonly<{ code?: unknown }>).code === '23505'

/** Retries a transaction: data that it had read has changed, or it was undone with another (database/sqlite/commit-group). */
export class RunAgainError extends Error {
  readonly code = '40001'
}
