/** What came of a sign-in travels to the frontend in the fragment, which no log and no Referer has. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { isNavigation } from '../../http/negotiation.ts'

/** Sends a browser to the target with what came of its sign-in. */
export function redirectTo(
  reply: FastifyReply,
  target: string,
  outcome: Readonly<Record<string, string>>,
): FastifyReply {
  const url = new URL(target)
  url.hash = new URLSearchParams(outcome).toString()
  return reply.redirect(url.href, 302)
}

/**
 * Sends a browser to the target with the error, by the names of RFC 6749, section 4.1.2.1: a person who
 * pressed "cancel" must not end on a page of JSON.
 * @throws the error, where the caller is no browser, there is no target, or the fault is ours
 */
export function redirectWithError(
  request: FastifyRequest,
  reply: FastifyReply,
  target: string | null,
  error: unknown,
): FastifyReply {
  if (target === null || !isNavigation(request) || !(error instanceof ApiError)) throw error
  request.errorCode = error.code
  return redirectTo(reply, target, { error: error.code, error_description: error.message })
}
