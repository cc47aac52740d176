/** `redirectTo`: where a browser may be sent after a sign-in, and how the result travels there. */
import { ApiError } from '../errors.ts'

/**
 * Parses a `redirectTo` (WHATWG URL) and accepts it only on the frontend's origin.
 * @returns the parsed form, which is what must be used afterwards
 * @throws {ApiError} `REDIRECT_NOT_ALLOWED` for anything else; never replaced by a default
 */
export function parseRedirectTarget(appUrl: URL, redirectTo: string): string {
  const target = URL.canParse(redirectTo) ? new URL(redirectTo) : undefined
  const isAllowed =
    target !== undefined &&
    target.origin === appUrl.origin &&
    target.username === '' &&
    target.password === '' &&
    // `blob:https://…` has the origin of the URL inside it.
    target.protocol === appUrl.protocol
  if (!isAllowed) throw new ApiError('REDIRECT_NOT_ALLOWED')
  return target.href
}
