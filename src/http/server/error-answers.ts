/** The one writer of error answers: whatever is thrown becomes a code of the closed table, and says no more. */
import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { App } from '../endpoint.ts'
import { formatMessages } from '../input.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What was answered, for the log; null: no error. */
    errorCode: ErrorCode | null
  }
}

/** Tells whether an error says that the database is away. */
export type IsUnavailable = (error: unknown) => boolean

/** Turns what was thrown into what is answered; logs the cause of a 5xx under the request's id. */
export type ToErrorAnswer = (error: unknown, request: FastifyRequest) => ApiError

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/** How long a refused body may be that is read, and dropped, for its sender to get the answer; in bytes. */
const READ_OUT_BYTES = 1024 * 1024

/** Makes the translation. */
export function toErrorAnswer(isUnavailable: IsUnavailable): ToErrorAnswer {
  return (error, request) => {
    const answer = translate(error, isUnavailable)
    // What was thrown as an answer is no fault of ours: its cause is logged where it was found.
    if (answer.status >= 500 && answer !== error) request.log.error({ requestId: request.id, err: error }, answer.code)
    return answer
  }
}

/** Answers whatever a route throws, and every path and method that there is no route for. */
export function answerErrors(app: App, toAnswer: ToErrorAnswer): void {
  app.decorateRequest('errorCode', null)
  app.setErrorHandler((error, request, reply) => {
    const answer = toAnswer(error, request)
    request.errorCode = answer.code
    // The framework closes on a body that it refused, and whoever is still sending it, a proxy above all, would get
    // a reset connection in place of the answer. What is not much too long is read to its end.
    if (Number(request.headers['content-length']) <= READ_OUT_BYTES) reply.removeHeader('connection')
    return reply.status(answer.status).headers(answer.headers).send(answer.toBody())
  })
  app.setNotFoundHandler(() => {
    throw new ApiError('NOT_FOUND')
  })
  // Before the body is read, which may be wrong in other ways.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404) throw new ApiError('NOT_FOUND')
    done(null, payload)
  })
}

function translate(error: unknown, isUnavailable: IsUnavailable): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return new ApiError('UNAVAILABLE', { headers: { 'retry-after': '1' } })
  // Anything can be thrown, also nothing.
  const { code = '', statusCode = 500, validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  if (validation !== undefined) {
    const message = validationMessage(validationContext ?? 'request', validation[0])
    return new ApiError('VALIDATION_FAILED', { message })
  }
  const known = frameworkCodes[code]
  if (known !== undefined) return new ApiError(known)
  return new ApiError(statusCode >= 400 && statusCode < 500 ? 'VALIDATION_FAILED' : 'INTERNAL')
}

type Params = Readonly<Record<string, string | undefined>>
type Problem = NonNullable<FastifyError['validation']>[number] | undefined

// Names the field and what it must be, never what it was: the value may be a secret.
function validationMessage(context: string, problem: Problem): string {
  const part = context === 'querystring' ? 'query' : context
  const path = `${part}${problem?.instancePath.replaceAll('/', '.') ?? ''}`
  const { missingProperty, additionalProperty, format, pattern } = (problem?.params ?? {}) as Params
  if (missingProperty !== undefined) return `${path}.${missingProperty} is required.`
  if (additionalProperty !== undefined) {
    return /^\w{1,40}$/.test(additionalProperty)
      ? `${path}.${additionalProperty} is not a known field.`
      : `${path} has a field that is not known.`
  }
  const expectation = formatMessages[format ?? pattern ?? ''] ?? problem?.message ?? 'is not valid'
  return `${path} ${expectation}.`
}

const rawCodes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

// Garbage behind a whole request that is still being answered: an answer now would pass for that one's.
function isAnsweringAnother(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.req.complete === true
}

/** Answers what is no HTTP request at all, in the same shape, and closes the connection. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnsweringAnother(socket)) {
    return void socket.destroy()
  }
  const answer = new ApiError(rawCodes[error.code ?? ''] ?? 'VALIDATION_FAILED')
  const body = JSON.stringify(answer.toBody())
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
