import { Kysely, sql } from 'kysely'
import type { CompiledQuery, PostgresPool } from 'kysely'
import type { Pool } from 'pg'
import { FairQueue } from '../../lib/fair-queue.ts'
import { readOnly } from '../batched-read.ts'
import type { BatchedRead } from '../batched-read.ts'
import type { Database, PoolState, Transaction, TransactionOptions } from '../database.ts'
import { withRetries } from '../retry-transaction.ts'
import type { Tables } from '../tables/tables.ts'
import { boundedPool } from './bounded-pool.ts'
import type { Bounds } from './bounded-pool.ts'
import { BoundedDialect } from './dialect.ts'
import { StandbyError } from './errors.ts'
import { gather } from '../gather.ts'
import type { GatherBounds } from '../gather.ts'
import { runGroup } from './transaction-group.ts'
import type { Member } from './transaction-group.ts'

type NamedPool = Readonly<{ name: PoolState['pool']; pool: Pool }>

/** Some connections are reserved for batched reads, so that writes cannot delay the guard. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly isTransaction = false
  readonly kysely: Kysely<Tables>
  readonly #pools: readonly NamedPool[]
  readonly #bounded: PostgresPool[] = []
  readonly #forReads: PostgresQueries
  readonly #bounds: GatherBounds | undefined
  readonly #gatherers = new Map<unknown, (question: never) => Promise<unknown>>()
  readonly #contention: FairQueue<Member> | undefined

  /** @param queueTimeoutMs how long a write may wait for other writes of the same account */
  constructor(pools: readonly [NamedPool, NamedPool?], bounds: Bounds, queueTimeoutMs: number) {
    const [calls, guard] = pools
    const open = (pool: Pool) => {
      const bounded = boundedPool(pool, bounds)
      this.#bounded.push(bounded)
      return new Kysely<Tables>({ dialect: new BoundedDialect({ pool: bounded }, bounds.answerTimeoutMs) })
    }
    this.#pools = pools.filter((pool) => pool !== undefined)
    this.kysely = open(calls.pool)
    this.#forReads = new PostgresQueries(guard ? open(guard.pool) : this.kysely)
    if (guard === undefined) return
    this.#bounds = { maxConcurrent: guard.pool.options.max, sendTimeoutMs: bounds.connectTimeoutMs }
    this.#contention = new FairQueue(queueTimeoutMs, (take) => runGroup(this.kysely, take))
  }

  get query(): Kysely<Tables> {
    return this.kysely
  }

  runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
    return runOn(this.kysely, statement, parameters)
  }

  async transaction<T>(work: (trx: Transaction) => Promise<T>, { contention }: TransactionOptions = {}): Promise<T> {
    const run = async (kysely: Kysely<Tables>) => {
      const trx = new PostgresQueries(kysely)
      try {
        return await work(trx)
      } finally {
        trx.end()
      }
    }
    if (contention === undefined || this.#contention === undefined) {
      // All attempts share one connection and its time limit.
      return this.kysely.connection().execute((connection) => withRetries(() => connection.transaction().execute(run)))
    }
    const { subject, caller, locksBefore } = contention
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#contention.add(subject, caller, { work: run, locksBefore, resolve, reject }, reject)
    return promise as Promise<T>
  }

  readBatched<Q, R>(read: BatchedRead<Q, R>, question: Q): Promise<R | undefined> {
    let gatherer = this.#gatherers.get(read)
    if (gatherer === undefined) {
      gatherer = gather((questions: readonly Q[]) => this.#readMany(read, questions), this.#bounds, read.isSame)
      this.#gatherers.set(read, gatherer)
    }
    return gatherer(question as never) as Promise<R | undefined>
  }

  async #readMany<Q, R>({ readMany }: BatchedRead<Q, R>, questions: readonly Q[]): Promise<(R | undefined)[]> {
    const answers: (R | undefined)[] = Array.from(questions, () => undefined)
    for (const row of await readMany(this.#forReads, questions)) {
      refuseStandby(row.read_only)
      answers[row.position - 1] = row
    }
    return answers
  }

  noteReads(run: () => void): void {
    run()
  }

  pendingSync(): undefined {}

  async ping(): Promise<void> {
    const { rows } = await sql<{ read_only: string }>`select ${readOnly}`.execute(this.#forReads.query)
    refuseStandby(rows[0]?.read_only)
  }

  async serverTimeMs(): Promise<number | undefined> {
    const time = sql<{ ms: number }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms`
    return (await time.execute(this.kysely)).rows[0]?.ms
  }

  damage(): undefined {}

  refuseWaiting(): void {}

  async space(): Promise<undefined> {}

  pools(): PoolState[] {
    return this.#pools.map(({ name, pool: { totalCount, idleCount, waitingCount, options } }) => ({
      pool: name,
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      max: options.max,
    }))
  }

  async close(): Promise<void> {
    await Promise.all([this.kysely.destroy(), this.#forReads.kysely.destroy()])
    // Kysely does not close a pool that it has not used.
    await Promise.all(this.#bounded.map((pool) => pool.end()))
  }
}

class PostgresQueries implements Transaction {
  readonly dialect = 'postgres'
  readonly isTransaction = true
  readonly #kysely: Kysely<Tables>
  #isOver = false

  constructor(kysely: Kysely<Tables>) {
    this.#kysely = kysely
  }

  /** A statement that comes later would be committed with another write of the group. */
  end(): void {
    this.#isOver = true
  }

  get kysely(): Kysely<Tables> {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction')
    return this.#kysely
  }

  get query(): Kysely<Tables> {
    return this.kysely
  }

  runPrepared<R>(statement: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
    return runOn(this.kysely, statement, parameters)
  }

  async readBatched<Q, R>({ readOne }: BatchedRead<Q, R>, question: Q): Promise<R | undefined> {
    return (await readOne(this, question))[0]
  }
}

async function runOn<R>(
  kysely: Kysely<Tables>,
  statement: CompiledQuery<R>,
  parameters: readonly unknown[],
): Promise<R[]> {
  return (await kysely.executeQuery<R>({ ...statement, parameters })).rows
}

function refuseStandby(isReadOnly: string | undefined): void {
  if (isReadOnly !== 'off') throw new StandbyError()
}
