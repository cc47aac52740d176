import { ApiError } from '../errors.ts'

/**
 * Parses a `redirectTo` (WHATWG URL) and accepts only the frontend's origin; a bad one is never replaced by a default.
 * @returns the parsed form; use it instead of the input
 * @throws {ApiError} `REDIRECT_NOT_ALLOWED`
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
  return target.href
}

function notAllowed(rule: string): ApiError {
  return new ApiError('REDIRECT_NOT_ALLOWED', { message: `\`redirectTo\` ${rule}.` })
}
