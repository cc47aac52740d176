/** How often the tokens of a family of keys, or of one sign-in, may read: a thief's reads are not counted against the owner. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { callerOf } from '../guard.ts'
import { familyIdOf } from '../../domain/sign-in/authority.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'

/**
 * Counts one read of the caller, in this process's memory: a limit of what is cheap must not cost a statement.
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
