/** Request bodies: strict UTF-8, strict JSON, and an empty one is no body. */
import type { FastifyBodyParser } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'

/**
 * The parser of `application/json`.
 * @throws {ApiError} `VALIDATION_FAILED`; it never quotes the body, which may hold a secret
 */
export function parseJson(app: App): FastifyBodyParser<Buffer> {
  // Refuses `__proto__` and `constructor.prototype`, which validation alone would let through.
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  return (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Nothing is ever unpacked; and what a proxy in front unpacks must not be read differently here.
    if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) return done(encoded())
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(malformed('The request body is not valid UTF-8.'))
    }
    return parse(request, text, (error, value) =>
      error === null ? done(null, value) : done(malformed('The request body is not valid JSON.')),
    )
  }
}

function malformed(message: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { message })
}

function encoded(): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'The request body must be sent without a Content-Encoding.',
  })
}
