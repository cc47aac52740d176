/** Reads request bodies: strict UTF-8, strict JSON. An empty body counts as absent, whatever its type. */
import type { Readable } from 'node:stream'
import type { FastifyBodyParser, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'
import { requirePlainBody } from './body-encoding.ts'
import { normaliseBody } from './normalise-body.ts'
import type { BodySchema } from './normalise-body.ts'

export function readBodies(app: App): void {
  // Otherwise their bodies would be ignored, and with them the fields that a caller meant for the query.
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson(app))
  app.addContentTypeParser('*', requireEmpty)
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    // Without a type, `requireEmpty` gets the request. Fastify would refuse a malformed type also without a body.
    if (isRead || request.mediaType === undefined) delete request.headers['content-type']
    done(null, payload)
  })
}

const FORBIDDEN_NAME = 'The request body must not have a field `__proto__`, or `constructor` with a `prototype`.'

/** Errors never quote the body, which may contain a secret. */
function parseJson(app: App): FastifyBodyParser<Buffer> {
  // Rejects `__proto__` and `constructor.prototype`, which schema validation does not.
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  return (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    let text: string
    try {
      requirePlainBody(request)
      text = utf8.decode(body)
    } catch (error) {
      return done(error instanceof ApiError ? error : malformed('The request body is not valid UTF-8.'))
    }
    return parse(request, text, (error, value) => {
      if (error !== null) return done(malformed(isJson(text) ? FORBIDDEN_NAME : 'The request body is not valid JSON.'))
      const { schema } = request.routeOptions
      if (schema?.body !== undefined) return done(null, normaliseBody(request.method, schema.body as BodySchema, value))
      return hasFields(value) ? done(takesNoBody(request, value)) : done(null, undefined)
    })
  }
}

/** Accepts a body of another type if it is empty: many clients and gateways send a type without a body. */
async function requireEmpty(request: FastifyRequest, payload: Readable): Promise<undefined> {
  if (!(Number(request.headers['content-length']) > 0)) {
    // Destroying the stream would close the connection before the answer.
    const chunks = payload.iterator({ destroyOnReturn: false })
    const { done } = await chunks.next().catch(() => {
      throw malformed('The request ended before its body.')
    })
    if (done === true) return undefined
    await chunks.return?.()
    payload.resume()
  }
  throw request.routeOptions.schema?.body === undefined ? takesNoBody(request) : new ApiError('UNSUPPORTED_MEDIA_TYPE')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function hasFields(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || Object.keys(value).length > 0)
}

/** Names the query parameters, where the fields were probably meant to go. */
function takesNoBody(request: FastifyRequest, value?: unknown): ApiError {
  const query = (request.routeOptions.schema?.querystring ?? {}) as BodySchema
  const parameters = Object.keys(query.properties ?? {})
  const sent = parameters.filter((name) => Object.hasOwn(Object(value), name))
  const names = (sent.length > 0 ? sent : parameters).map((name) => `\`${name}\``).join(', ')
  const hint = names === '' ? '' : ` Send ${names} in the query of the URL.`
  return malformed(`This operation takes no body.${hint}`)
}

function malformed(message: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { message })
}
