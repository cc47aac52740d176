/** Returns the result of a sign-in to the frontend in the URL fragment, which never appears in logs or a Referer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { isNavigation } from '../../http/negotiation/negotiation.ts'

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
 * Redirects a browser to the target with the error, in the parameters of RFC 6749, section 4.1.2.1: a person who
 * pressed "cancel" must not end up on a page of JSON.
 * @throws the error if the caller is not a browser, there is no target, or it is not an `ApiError`
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
