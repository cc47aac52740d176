/** Parses request bodies: strict UTF-8, strict JSON; an empty body counts as absent. */
import type { FastifyBodyParser } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'

/** Errors never quote the body, which may contain a secret. */
export function parseJson(app: App): FastifyBodyParser<Buffer> {
  // Rejects `__proto__` and `constructor.prototype`, which schema validation does not.
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  return (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Bodies are never decompressed: a proxy in front that did would see a different body.
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
