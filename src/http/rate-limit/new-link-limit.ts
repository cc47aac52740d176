import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { limitKeyOf } from '../../domain/sign-in/authority.ts'
import type { Deps } from '../deps.ts'
import { callerOf } from '../guard.ts'

/**
 * Counts a new payment link against the caller's key family, or the person.
 * @throws {ApiError} `RATE_LIMITED`
 */
export async function limitNewLinks(
  { rateLimits, failureLog }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = callerOf(request)
  await rateLimits
    .count(reply, ['payment-links', limitKeyOf(caller)])
    .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
}
