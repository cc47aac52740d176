/** How many keys an account may make and have. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, limitKeyOf } from '../../accounts/authenticate.ts'
import { noteLimitHit } from '../../accounts/failure-log.ts'
import { countLiveKeys } from '../../accounts/key-store.ts'
import type { DbTransaction } from '../../db/db.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'

const MOST_LIVE_KEYS = 25

/** Whether the account has as many live keys as it may have. The caller holds the user's lock. */
export async function isAtKeyLimit(trx: DbTransaction, userId: string, nowMs: number): Promise<boolean> {
  return (await countLiveKeys(trx, userId, nowMs)) >= MOST_LIVE_KEYS
}

/**
 * Refuses one live key more than an account may have. Keys that wait for the owner do not count:
 * whoever took the address first could otherwise leave the owner no room.
 * The transaction holds the caller's lock, so that two at once cannot both be the last.
 * @throws {ApiError} `KEY_LIMIT_REACHED`
 */
export async function refuseBeyondLimit(
  { clock, failureLog }: Deps,
  trx: DbTransaction,
  request: FastifyRequest,
): Promise<void> {
  const { userId } = callerOf(request)
  if (!(await isAtKeyLimit(trx, userId, clock.now()))) return
  const who = { by: 'id', value: userId } as const
  failureLog.note({ type: 'limit_hit', who, client: clientNetwork(request.ip), detail: 'live-keys' })
  throw new ApiError('KEY_LIMIT_REACHED')
}

/**
 * Counts one secret that the caller makes.
 * @throws {ApiError} `RATE_LIMITED`
 */
export async function limitKeyCreation(
  { rateLimits, failureLog }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = callerOf(request)
  await rateLimits
    .count(reply, ['key-creation', limitKeyOf(caller)])
    .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
}
