import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { callerOf } from '../guard.ts'
import { familyIdOf } from '../../domain/sign-in/authority.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'

/**
 * Counts a read against the caller's key family or sign-in, so that a thief's reads do not use up the owner's limit. In
 * memory: a limit on cheap calls must not cost a statement.
 * @throws {ApiError} `RATE_LIMITED`
 */
export async function limitReads(
  { rateLimits, failureLog }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = callerOf(request)
  const { userId, signInId } = caller
  await rateLimits
    .countHere(reply, ['reads', `${userId} ${familyIdOf(caller) ?? signInId}`])
    .catch(noteLimitHit(failureLog, request, { by: 'id', value: userId }))
}
