/** Turns an answer into its data, or into the error class of its code. */
import { ApiError, UnexpectedAnswerError } from './errors.ts'
import { errorClasses } from './generated/error-classes.ts'
import { detailsOf } from './sending.ts'

/** The result of openapi-fetch with `parseAs: 'text'`; it parses the body of an error if that is JSON. */
type Read = Readonly<{ data?: string; error?: unknown; response: Response }>

/**
 * Returns the parsed body of a 2xx answer, or undefined if the body is empty.
 * @throws {ApiError} @throws {UnexpectedAnswerError}
 */
export function parseAnswer({ data, error, response }: Read): unknown {
  if (!response.ok) throw errorOf(error, response)
  if (data === undefined || data === '') return undefined
  try {
    return JSON.parse(data)
  } catch {
    throw unexpectedAnswer(response)
  }
}

function errorOf(body: unknown, response: Response): ApiError | UnexpectedAnswerError {
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (typeof code !== 'string' || typeof message !== 'string') return unexpectedAnswer(response)
  const known = Object.hasOwn(errorClasses, code) ? errorClasses[code as keyof typeof errorClasses] : ApiError
  return new (known as typeof ApiError)(code, message, detailsOf(response))
}

export function unexpectedAnswer(response: Response): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `The answer with status ${response.status} did not come from paylink-auth. Check baseUrl and any proxy in between.`,
    detailsOf(response),
  )
}
