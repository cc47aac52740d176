import { ApiError } from '../errors.ts'

/**
 * Parses a `redirectTo` (WHATWG URL) and accepts only the frontend's origin; a bad one is never replaced by a default.
 * @returns the parsed form; use it instead of the input
 * @throws {ApiError} `REDIRECT_NOT_ALLOWED`
 */
export function parseRedirectTarget(appUrl: URL, redirectTo: string): string {
  const target = URL.canParse(redirectTo) ? new URL(redirectTo) : undefined
  const isAllowed =
    target !== undefined &&
    target.origin === appUrl.origin &&
    target.username === '' &&
    target.password === '' &&
    // The origin of `blob:https://…` is that of the inner URL.
    target.protocol === appUrl.protocol
  if (!isAllowed) throw new ApiError('REDIRECT_NOT_ALLOWED')
  return target.href
}
