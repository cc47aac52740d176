/**
 * Writes of one user that wait for each other at the user's row share a transaction, each in a savepoint, and one commit
 * (docs/decisions/0036). A burst of them takes a fraction of the time.
 */
import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import { elapsedMs } from '../../lib/clock.ts'
import type { Take } from '../../lib/fair-queue.ts'
import { isRetried, withRetries } from '../retry-transaction.ts'
import type { Tables } from '../tables/tables.ts'
import { isPostgresUnavailable, keepsConnectionUsable } from './errors.ts'

/** How long a group takes further members; other processes wait for the row as long. */
const GROUP_MS = 50

type KyselyTransaction = Transaction<Tables>

export type Member = Readonly<{
  work: (trx: KyselyTransaction) => Promise<unknown>
  /** Must be the first of its transaction. */
  locksBefore: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}>

/** Runs the first of `take`, and what else it has within `GROUP_MS`, in one transaction. */
export async function runGroup(kysely: Kysely<Tables>, take: Take<Member>): Promise<void> {
  for (let first = take(); first !== undefined;) first = await new Group(take, first).run(kysely)
}

class Group {
  readonly #take: Take<Member>
  /** The first one fails alone: others join after it has succeeded. */
  readonly #members: Member[]
  /** Called after the commit, refusals too: a member may have read what another one wrote. */
  #settle: (() => void)[] = []
  /** Conflicted with another transaction, and begins the next group. */
  #again: Member | undefined

  constructor(take: Take<Member>, first: Member) {
    this.#take = take
    this.#members = [first]
  }

  /** Returns a member that must run again. */
  async run(kysely: Kysely<Tables>): Promise<Member | undefined> {
    const isAlone = () => this.#members.length === 1
    try {
      // All attempts share one connection and its time limit.
      await kysely
        .connection()
        .execute((connection) =>
          withRetries(() => connection.transaction().execute((trx) => this.#attempt(trx)), isAlone),
        )
      for (const settle of this.#settle) settle()
    } catch (error) {
      if (isRetried(error) && !isAlone()) await this.#runEachAlone(kysely)
      else this.#fail(error)
    }
    return this.#again
  }

  async #runEachAlone(kysely: Kysely<Tables>): Promise<void> {
    for (const member of this.#members) await new Group(() => undefined, member).run(kysely)
  }

  #fail(error: unknown): void {
    for (const member of this.#members) member.reject(error)
    if (!isPostgresUnavailable(error) || keepsConnectionUsable(error)) return
    // A database that did not answer these will not answer those behind them either, and they have waited as long.
    for (let next = this.#take(); next !== undefined; next = this.#take()) next.reject(error)
  }

  async #attempt(trx: KyselyTransaction): Promise<void> {
    const untilMs = elapsedMs() + GROUP_MS
    const [first] = this.#members
    const value = await first?.work(trx)
    this.#settle = [() => first?.resolve(value)]
    while (this.#again === undefined && elapsedMs() < untilMs) {
      const next = this.#take(({ locksBefore }) => !locksBefore)
      if (next === undefined) return
      await this.#runNext(trx, next)
    }
  }

  async #runNext(trx: KyselyTransaction, member: Member): Promise<void> {
    this.#members.push(member)
    const begin = this.#members.length > 2 ? sql`release savepoint member; savepoint member` : sql`savepoint member`
    await begin.execute(trx)
    try {
      const value = await member.work(trx)
      this.#settle.push(() => member.resolve(value))
    } catch (error) {
      // Fails on a connection that is lost, which ends the group.
      await sql`rollback to savepoint member`.execute(trx)
      if (isRetried(error)) this.#again = this.#members.pop()
      else this.#settle.push(() => member.reject(error))
    }
  }
}
