import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { limitKeyOf } from '../../domain/sign-in/authority.ts'
import type { Deps } from '../deps.ts'
import { callerOf } from '../guard.ts'
import type { LimitName } from './rate-limits.ts'

/**
 * Counts a call against the caller's key family, or the person.
 * @throws {ApiError} `RATE_LIMITED`
 */
export async function limitCaller(
  { rateLimits, failureLog }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  name: Extract<LimitName, 'app-requests' | 'export' | 'key-creation' | 'payment-links'>,
): Promise<void> {
  const caller = callerOf(request)
  await rateLimits
    .count(reply, [name, limitKeyOf(caller)])
    .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
}
