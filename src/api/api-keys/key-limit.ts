/** The limit on the number of an account's keys. */
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../http/guard.ts'
import type { Transaction } from '../../database/database.ts'
import { keyLimitReached, liveKeyLimitReached } from '../../domain/keys/key-limit.ts'
import type { KeyLimit } from '../../domain/keys/key-limit.ts'
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'

class KeyLimitError extends ApiError {
  readonly limit: string

  constructor({ name, message }: KeyLimit) {
    super('KEY_LIMIT_REACHED', { message })
    this.limit = name
  }
}

/**
 * Refuses a new key when the account has reached its limit. Keys that await the owner do not count as live:
 * otherwise someone who signed up with the address first could leave the owner no room.
 * @param trx holds the user's lock, so that two concurrent calls cannot both take the last place
 * @throws {ApiError} `KEY_LIMIT_REACHED`, which `noteKeyLimit` notes
 */
export async function requireRoomForKey({ clock }: Deps, trx: Transaction, userId: string): Promise<void> {
  refuse(await keyLimitReached(trx, userId, clock.now()))
}

/** As `requireRoomForKey`, for a key on record that becomes live. */
export async function requireRoomForLiveKey({ clock }: Deps, trx: Transaction, userId: string): Promise<void> {
  refuse(await liveKeyLimitReached(trx, userId, clock.now()))
}

function refuse(limit: KeyLimit | undefined): void {
  if (limit !== undefined) throw new KeyLimitError(limit)
}

/** For `catch`, of the transaction: what is in it may run twice, and the refusal counts once. */
export function noteKeyLimit({ failureLog }: Deps, request: FastifyRequest): (error: unknown) => never {
  return (error) => {
    if (error instanceof KeyLimitError) {
      const who = { by: 'id', value: callerOf(request).userId } as const
      const client = clientNetwork(request.ip)
      failureLog.note({ type: 'limit_hit', who, client, browser: request.browser, detail: error.limit })
    }
    throw error
  }
}
