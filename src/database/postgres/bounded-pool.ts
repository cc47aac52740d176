/** The connections as Kysely gets them: each for a bounded time, and none again whose state is not known any more. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg'
import { elapsedMs, immediately, later, sleep } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'
import { TransactionMisuseError } from '../database.ts'
import { cancelStatement } from './cancel-statement.ts'
import { isOfPrepared, leavesConnection, markOfConnection, markUnconnected, TIMED_OUT } from './errors.ts'

/** How long the servers' good-byes are waited for at the end, in milliseconds. */
const ENDED_WITHIN_MS = 1000

const keeping = new WeakSet<ClientBase>()

/** Says that this connection is asked few statements, each again and again, and that no pooler is between: they stay prepared on it. */
export function keepPrepared(client: ClientBase): void {
  keeping.add(client)
}

const names = new Map<string, string>()

// By its text: should a pooler be between that is not noticed, the name never stands for another statement of
// another release.
function nameOf(text: string): string {
  const name = names.get(text) ?? `paylink-auth-${sha256(text).slice(0, 32)}`
  names.set(text, name)
  return name
}

/** Time limits of the connections. */
export type Bounds = Readonly<{
  /** For everything done on a connection from when it is given to when it is released. */
  answeredWithinMs: number
  connectedWithinMs: number
  allowsOtherWaits: boolean
}>

/** The pool, with bounds. */
export function boundedPool(pool: Pool, { answeredWithinMs, allowsOtherWaits }: Bounds): PostgresPool {
  let isEnded = false
  // The same again for the same connection: Kysely keeps what it knows of each that it is given.
  const bounded = new WeakMap<PoolClient, ReturnType<typeof boundedClient>>()
  return {
    options: pool.options,
    // A server that has stopped says no good-bye, and the process is to end all the same.
    async end() {
      if (isEnded) return
      isEnded = true
      await Promise.race([pool.end(), sleep(ENDED_WITHIN_MS, new AbortController().signal)])
    },
    async connect() {
      if (isEnded) throw new Error('the connections have been destroyed')
      const client = await connectTo(pool)
      const found = bounded.get(client) ?? boundedClient(client, allowsOtherWaits)
      bounded.set(client, found)
      found.giveFor(answeredWithinMs)
      return found as unknown as PostgresPoolClient
    },
  }
}

function boundedClient(client: PoolClient, allowsOtherWaits: boolean) {
  let untilMs = 0
  let broken: Error | undefined
  let ended: Promise<void> | undefined
  let isInTransaction = false
  let statements = 0
  let underWay = 0
  // The pool listens to idle connections only: one that is cut between two statements of a transaction
  // would end the process.
  const note = (error: Error) => {
    markOfConnection(error)
    broken ??= error
  }
  client.on('error', note)

  // Not by pg's own promises and bound of time: with those every result outlives the small collections of garbage,
  // and the large ones stop everybody.
  function send(text: string, values: unknown[], name?: string) {
    return new Promise<QueryResult>((resolve, reject) => {
      const callOff = later(untilMs - elapsedMs(), () => reject(new Error(TIMED_OUT)))
      client.query({ name, text, values }, (error, result) => {
        callOff()
        if (error) reject(error)
        else resolve(result)
      })
    })
  }

  async function ask(text: string, values: unknown[]) {
    if (!keeping.has(client)) return send(text, values)
    try {
      return await send(text, values, nameOf(text))
    } catch (error) {
      if (!isOfPrepared(error)) throw error
      keeping.delete(client)
      return send(text, values)
    }
  }

  // A transaction's next statement follows within the turn of the event loop in which the last one was answered. One
  // that does not keeps its rows locked for as long as it awaits something else.
  function expectNextStatement(asked: number): void {
    immediately(() => {
      if (isInTransaction && statements === asked) broken ??= new TransactionMisuseError()
    })
  }

  return {
    processID: Reflect.get(client, 'processID'),
    giveFor(answeredWithinMs: number) {
      isInTransaction = false
      untilMs = elapsedMs() + answeredWithinMs
    },
    async query(text: string, values: unknown[]) {
      // Behind a statement that was given up (the rollback after it, say) nothing more would come in time.
      if (broken === undefined && elapsedMs() >= untilMs) note(new Error(TIMED_OUT))
      if (broken !== undefined) throw broken
      if (text.startsWith('begin')) isInTransaction = !allowsOtherWaits
      if (text === 'commit' || text === 'rollback') isInTransaction = false
      statements += 1
      underWay += 1
      try {
        return await ask(text, values)
      } catch (error) {
        if (leavesConnection(error)) throw error
        note(error as Error)
        // What is given up here goes on there, behind a lock for example, and its connection counts. A commit
        // goes on: cancelled, it would be seen by everybody before it is safe on the standby.
        if ((error as Error).message === TIMED_OUT)
          ended = text === 'commit' ? answered(client) : cancelStatement(client)
        throw error
      } finally {
        underWay -= 1
        if (isInTransaction && underWay === 0) expectNextStatement(statements)
      }
    },
    // Until the server has heard of it, or has committed, the connection keeps its place in the pool: so few are
    // there ever, also while each commit waits for a standby that is away.
    async release(isDiscarded?: boolean) {
      if (ended !== undefined) await ended
      client.release(broken ?? isDiscarded)
    },
  }
}

// Also when the connection is lost: a server that is gone is noticed within 20 seconds (keepalive).
function answered(client: PoolClient): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'end', 'error']) client.once(event, () => resolve())
  })
}

async function connectTo(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    markUnconnected(error as Error)
    throw error
  }
}
