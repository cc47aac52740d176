/** What an answer means: its data, or the error of its code. */
import { ApiError, UnexpectedAnswerError } from './errors.ts'
import { errorClasses } from './generated/error-classes.ts'
import { detailsOf } from './sending.ts'

/** An answer as openapi-fetch reads it: text that is good, or an error that was parsed where it was JSON. */
type Read = Readonly<{ data?: string; error?: unknown; response: Response }>

/**
 * The data of a good answer; undefined when it is empty.
 * @throws {ApiError} @throws {UnexpectedAnswerError}
 */
export function answered({ data, error, response }: Read): unknown {
  if (!response.ok) throw errorOf(error, response)
  if (data === undefined || data === '') return undefined
  try {
    return JSON.parse(data)
  } catch {
    throw unexpected(response)
  }
}

function errorOf(body: unknown, response: Response): ApiError | UnexpectedAnswerError {
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected(response)
  const known = Object.hasOwn(errorClasses, code) ? errorClasses[code as keyof typeof errorClasses] : ApiError
  return new (known as typeof ApiError)(code, message, detailsOf(response))
}

/** The error of an answer that is not the service’s. */
export function unexpected(response: Response): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `Something else than the service answered, with status ${response.status}.`,
    detailsOf(response),
  )
}
