import { Type } from 'typebox'
import { ApiError } from '../errors.ts'

/** In characters, percent-encoded. Three sign-ins with Google store theirs in cookies, which servers must accept. */
export const MAX_TARGET_LENGTH = 1024

/** The schema of a `redirectTo`; `parseRedirectTarget` checks what a schema cannot. */
export function RedirectTo(description: string) {
  return Type.Optional(Type.String({ maxLength: MAX_TARGET_LENGTH, description }))
}

/**
 * Parses a `redirectTo` (WHATWG URL) and accepts only the frontend's origin; a bad one is never replaced by a default.
 * @returns the parsed form; use it instead of the input
 * @throws {ApiError} `REDIRECT_NOT_ALLOWED`, `VALIDATION_FAILED`
 */
export function parseRedirectTarget(appUrl: URL, redirectTo: string): string {
  const target = URL.parse(redirectTo)
  if (target === null) throw notAllowed('must be an absolute URL')
  const isAllowed =
    target.origin === appUrl.origin &&
    target.username === '' &&
    target.password === '' &&
    // The origin of `blob:https://…` is that of the inner URL.
    target.protocol === appUrl.protocol
  if (!isAllowed) throw notAllowed('must be on the origin of the application frontend')
  // A URL may contain backslashes; JSON, in the cookie, would double them.
  const href = target.href.replaceAll('\\', '%5C')
  if (href.length > MAX_TARGET_LENGTH) {
    throw new ApiError('VALIDATION_FAILED', {
      message: `\`redirectTo\` must have at most ${MAX_TARGET_LENGTH} characters when percent-encoded.`,
    })
  }
  return href
}

function notAllowed(rule: string): ApiError {
  return new ApiError('REDIRECT_NOT_ALLOWED', { message: `\`redirectTo\` ${rule}.` })
}
