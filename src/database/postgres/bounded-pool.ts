/** Connections for Kysely with time limits. A connection whose state is unknown is not reused. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg'
import { elapsedMs, immediately, later, sleep } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'
import { TransactionMisuseError } from '../database.ts'
import { cancelStatement } from './cancel-statement.ts'
import {
  isPreparedStatementError,
  keepsConnectionUsable,
  markConnectionLost,
  markConnectFailed,
  TIMED_OUT,
} from './errors.ts'

const END_TIMEOUT_MS = 1000

const keepsPrepared = new WeakSet<ClientBase>()

/**
 * Marks a connection for named prepared statements. It must run few different statements, without a pooler in between.
 */
export function keepPrepared(client: ClientBase): void {
  keepsPrepared.add(client)
}

const names = new Map<string, string>()

// Named after its text: behind an unnoticed pooler, the name cannot mean another statement of another release.
function nameOf(text: string): string {
  const name = names.get(text) ?? `paylink-auth-${sha256(text).slice(0, 32)}`
  names.set(text, name)
  return name
}

export type Bounds = Readonly<{
  /** From when a connection is handed out until it is released. */
  answerTimeoutMs: number
  connectTimeoutMs: number
  allowsOtherWaits: boolean
}>

export function boundedPool(pool: Pool, { answerTimeoutMs, allowsOtherWaits }: Bounds): PostgresPool {
  let isEnded = false
  // One wrapper per connection: Kysely keeps state per connection object.
  const bounded = new WeakMap<PoolClient, ReturnType<typeof boundedClient>>()
  return {
    options: pool.options,
    // A stopped server acknowledges nothing, and the process must still end.
    async end() {
      if (isEnded) return
      isEnded = true
      await Promise.race([pool.end(), sleep(END_TIMEOUT_MS, new AbortController().signal)])
    },
    async connect() {
      if (isEnded) throw new Error('the connections have been destroyed')
      const client = await connectTo(pool)
      const found = bounded.get(client) ?? boundedClient(client, allowsOtherWaits)
      bounded.set(client, found)
      found.startUse(answerTimeoutMs)
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
  let inProgress = 0
  // The pool listens to idle connections only. Without this listener, losing a connection between two statements of a
  // transaction would end the process.
  const note = (error: Error) => {
    markConnectionLost(error)
    broken ??= error
  }
  client.on('error', note)

  // Without pg's own promises and timeout: with those every result survives the minor garbage collections, and the
  // major ones pause everything.
  function send(text: string, values: unknown[], name?: string) {
    return new Promise<QueryResult>((resolve, reject) => {
      const stopTimer = later(untilMs - elapsedMs(), () => reject(new Error(TIMED_OUT)))
      client.query({ name, text, values }, (error, result) => {
        stopTimer()
        if (error) reject(error)
        else resolve(result)
      })
    })
  }

  async function ask(text: string, values: unknown[]) {
    if (!keepsPrepared.has(client)) return send(text, values)
    try {
      return await send(text, values, nameOf(text))
    } catch (error) {
      if (!isPreparedStatementError(error)) throw error
      keepsPrepared.delete(client)
      return send(text, values)
    }
  }

  // A transaction's next statement follows within the turn of the event loop that answered the last one. Otherwise the
  // transaction awaits something else while its rows stay locked.
  function expectNextStatement(asked: number): void {
    immediately(() => {
      if (isInTransaction && statements === asked) broken ??= new TransactionMisuseError()
    })
  }

  return {
    processID: Reflect.get(client, 'processID'),
    startUse(answerTimeoutMs: number) {
      isInTransaction = false
      untilMs = elapsedMs() + answerTimeoutMs
    },
    async query(text: string, values: unknown[]) {
      // After an abandoned statement (before its rollback, say) no answer can come in time.
      if (broken === undefined && elapsedMs() >= untilMs) note(new Error(TIMED_OUT))
      if (broken !== undefined) throw broken
      if (text.startsWith('begin')) isInTransaction = !allowsOtherWaits
      if (text === 'commit' || text === 'rollback') isInTransaction = false
      statements += 1
      inProgress += 1
      try {
        return await ask(text, values)
      } catch (error) {
        if (keepsConnectionUsable(error)) throw error
        note(error as Error)
        // An abandoned statement continues on the server, behind a lock for example, and its connection counts there. A
        // commit is not cancelled: it would become visible before it is safe on the standby.
        if ((error as Error).message === TIMED_OUT)
          ended = text === 'commit' ? answered(client) : cancelStatement(client)
        throw error
      } finally {
        inProgress -= 1
        if (isInTransaction && inProgress === 0) expectNextStatement(statements)
      }
    },
    // The connection keeps its place in the pool until the server has received the cancellation or has committed. So
    // the pool's limit holds even while every commit waits for an unreachable standby.
    async release(isDiscarded?: boolean) {
      if (ended !== undefined) await ended
      client.release(broken ?? isDiscarded)
    },
  }
}

// Resolves on a lost connection too: keepalive notices a lost server within 20 seconds.
function answered(client: PoolClient): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'end', 'error']) client.once(event, () => resolve())
  })
}

async function connectTo(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    markConnectFailed(error as Error)
    throw error
  }
}
