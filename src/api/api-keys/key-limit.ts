/** The limit on the number of an account's keys. */
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../http/guard.ts'
import type { Transaction } from '../../database/database.ts'
import { keyLimitReached } from '../../domain/keys/key-limit.ts'
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'

/**
 * Refuses one more live key when the account has reached its limit. Keys that await the owner do not count as live:
 * otherwise someone who signed up with the address first could leave the owner no room.
 * @param trx holds the user's lock, so that two concurrent calls cannot both take the last place
 * @throws {ApiError} `KEY_LIMIT_REACHED`
 */
export async function requireRoomForKey(
  { clock, failureLog }: Deps,
  trx: Transaction,
  request: FastifyRequest,
): Promise<void> {
  const { userId } = callerOf(request)
  const limit = await keyLimitReached(trx, userId, clock.now())
  if (limit === undefined) return
  const who = { by: 'id', value: userId } as const
  const { ip, browser } = request
  failureLog.note({ type: 'limit_hit', who, client: clientNetwork(ip), browser, detail: limit.name })
  throw new ApiError('KEY_LIMIT_REACHED', { message: limit.message })
}
