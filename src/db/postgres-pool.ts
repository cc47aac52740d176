/** The connections as Kysely gets them: each for a bounded time, and none again whose state is not known any more. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { elapsedMs, sleep } from '../lib/clock.ts'
import { cancelStatement } from './postgres-cancel.ts'
import { leavesConnection, markOfConnection, markUnconnected, TIMED_OUT } from './postgres-errors.ts'

/** How long the servers' good-byes are waited for at the end, in milliseconds. */
const ENDED_WITHIN_MS = 1000

/**
 * The pool, with bounds.
 * @param answeredWithinMs how long whoever gets a connection may use it: everything done on it together
 * @param endWithIt ends what is open beside it
 */
export function boundedPool(pool: Pool, answeredWithinMs: number, endWithIt?: () => Promise<void>): PostgresPool {
  let isEnded = false
  return {
    options: pool.options,
    // A server that has stopped says no good-bye, and the process is to end all the same.
    async end() {
      isEnded = true
      const ended = Promise.all([pool.end(), endWithIt?.()])
      await Promise.race([ended, sleep(ENDED_WITHIN_MS, new AbortController().signal)])
    },
    async connect() {
      if (isEnded) throw new Error('the connections have been destroyed')
      return boundedClient(await connectTo(pool), answeredWithinMs) as unknown as PostgresPoolClient
    },
  }
}

function boundedClient(client: PoolClient, answeredWithinMs: number) {
  const untilMs = elapsedMs() + answeredWithinMs
  let broken: Error | undefined
  let ended: Promise<void> | undefined
  // The pool listens to idle connections only: one that is cut between two statements of a transaction
  // would end the process.
  const note = (error: Error) => {
    markOfConnection(error)
    broken ??= error
  }
  client.on('error', note)

  async function ask(text: string, values: unknown[]) {
    const leftMs = Math.ceil(untilMs - elapsedMs())
    if (leftMs <= 0) throw new Error(TIMED_OUT)
    // Declared for the whole connection only. (Zero would be for ever.)
    return client.query({ text, values, query_timeout: leftMs } as QueryConfig)
  }

  return {
    processID: Reflect.get(client, 'processID'),
    async query(text: string, values: unknown[]) {
      // Behind a statement that was given up (the rollback after it, say) nothing more would come in time.
      if (broken !== undefined) throw broken
      try {
        return await ask(text, values)
      } catch (error) {
        if (leavesConnection(error)) throw error
        note(error as Error)
        // What is given up here goes on there, behind a lock for example, and its connection counts. A commit
        // goes on: cancelled, it would be seen by everybody before it is safe on the standby.
        if ((error as Error).message === TIMED_OUT) ended = text === 'commit' ? answered(client) : cancelStatement(client)
        throw error
      }
    },
    // Until the server has heard of it, or has committed, the connection keeps its place in the pool: so few are
    // there ever, also while each commit waits for a standby that is away.
    async release(isDiscarded?: boolean) {
      if (ended !== undefined) await ended
      client.release(broken ?? isDiscarded)
      client.off('error', note)
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
