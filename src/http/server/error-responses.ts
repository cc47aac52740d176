/** The only writer of error responses: everything thrown becomes a code of `errors.ts`. */
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, isUnauthorized, oauthErrorOf } from '../../errors.ts'
import type { ErrorCode, UnavailableReason } from '../../errors.ts'
import type { Config } from '../../config/settings.ts'
import { elapsedMs, systemClock } from '../../lib/clock.ts'
import { resourceMetadataUrl } from '../../domain/sign-in/resources.ts'
import type { App } from '../endpoint.ts'
import { securityHeaders } from './security-headers.ts'
import { validationMessage } from './validation-message.ts'
import type { Problem } from './validation-message.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error response, for logs and metrics; null if there was none. */
    errorCode: ErrorCode | null
    /** Why the database refused the call, for metrics; null if it did not. */
    unavailableReason: UnavailableReason | null
  }
}

/** Why the database cannot be used for now; undefined for errors of another kind. */
export type UnavailableReasonOf = (error: unknown) => UnavailableReason | undefined

/**
 * Maps a thrown value to a response; logs the cause of a 5xx under the request id. Refusals of the database: once a second
 * for each reason.
 */
export type ToErrorAnswer = (error: unknown, request: FastifyRequest) => ApiError

/** Writes an error as a page, or returns false to have it written as JSON. */
export type AnswerAsPage = (answer: ApiError, request: FastifyRequest, reply: FastifyReply) => boolean

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Of a request: why the router cannot read its URL. */
export const urlError = Symbol('URL error')

/** A refused body up to this size is read and discarded, so that its sender gets the response. */
const READ_OUT_BYTES = 1024 * 1024

/** A database that refuses one call refuses many, and their lines could fill the disk. `/metrics` has the number. */
const REPORT_EVERY_MS = 1000

const NO_SPACE = 'The disk of the server has no space left, so nothing was changed. Try again later.'

export function toErrorAnswer(reasonOf: UnavailableReasonOf): ToErrorAnswer {
  const silentUntilMs = new Map<UnavailableReason, number>()
  const isReported = (reason: UnavailableReason): boolean => {
    if (elapsedMs() < (silentUntilMs.get(reason) ?? -Infinity)) return false
    silentUntilMs.set(reason, elapsedMs() + REPORT_EVERY_MS)
    return true
  }
  return (error, request) => {
    const reason = reasonOf(error)
    request.unavailableReason = reason ?? null
    const answer = translate(error, reason)
    // The code that throws an ApiError logs its cause itself, except for refusals of the database.
    const isToLog = reason === undefined ? answer.status >= 500 && answer !== error : isReported(reason)
    if (isToLog)
      request.log.error({ ...request.logScope?.fields, err: answer === error ? answer.cause : error }, answer.code)
    return answer
  }
}

/** Handles everything a route throws, and requests without a route. */
export function answerErrors(app: App, config: Config, toAnswer: ToErrorAnswer, answerAsPage: AnswerAsPage): void {
  app.decorateRequest('errorCode', null)
  app.decorateRequest('unavailableReason', null)
  app.setErrorHandler((error, request, reply) => {
    const answer = toAnswer(error, request)
    request.errorCode = answer.code
    // Fastify closes the connection on a refused body; a client still sending it, usually a proxy, would get a reset
    // instead of the response. Keeping the connection open makes Node read the body to its end.
    if (Number(request.headers['content-length']) <= READ_OUT_BYTES) reply.removeHeader('connection')
    const { errorShape, resource = 'api' } = request.routeOptions.config
    reply.status(answer.status).headers(answer.headers)
    if (isUnauthorized(answer)) {
      const challenge = answer.headers['www-authenticate']
      // RFC 9728, section 5.1: from here a client finds out where it gets a token.
      reply.header('www-authenticate', `${challenge}, resource_metadata="${resourceMetadataUrl(config, resource)}"`)
    }
    if (errorShape === 'oauth') return sendOAuthError(reply, answer)
    return answerAsPage(answer, request, reply) ? reply : reply.send(answer.toBody())
  })
  app.setNotFoundHandler(() => {
    throw new ApiError('NOT_FOUND')
  })
  // Before other hooks take it for a page that does not exist.
  app.addHook('onRequest', ({ raw }: { raw: IncomingMessage & { [urlError]?: Error } }, _reply, done) =>
    done(raw[urlError]),
  )
  // Before the body is parsed, which could fail with another error.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404) throw new ApiError('NOT_FOUND')
    done(null, payload)
  })
}

function sendOAuthError(reply: FastifyReply, answer: ApiError): FastifyReply {
  const { status, challenge } = oauthErrorOf(answer.code)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  return reply.status(status).send(answer.toOAuthBody())
}

function translate(error: unknown, reason: UnavailableReason | undefined): ApiError {
  if (error instanceof ApiError) return error
  if (reason !== undefined) {
    const message = reason === 'disk_full' ? { message: NO_SPACE } : {}
    return new ApiError('UNAVAILABLE', { ...message, headers: { 'retry-after': '1' } })
  }
  // Any value can be thrown, `undefined` included.
  const { code = '', statusCode = 500, validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  if (validation !== undefined) {
    // Fastify's type omits what Ajv adds with `verbose`.
    const [problem] = validation as unknown as readonly Problem[]
    const message = problem && validationMessage(validationContext ?? 'request', problem)
    return new ApiError('VALIDATION_FAILED', message === undefined ? {} : { message })
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError('VALIDATION_FAILED', { message: 'The path has an invalid percent-escape.' })
  }
  const known = frameworkCodes[code]
  if (known !== undefined) return new ApiError(known)
  return new ApiError(statusCode >= 400 && statusCode < 500 ? 'VALIDATION_FAILED' : 'INTERNAL')
}

const rawCodes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

// The garbage follows a complete request that is not answered yet: an error now would pass for that request's response.
function isAnsweringEarlierRequest(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.req.complete === true
}

/** Answers bytes that are not an HTTP request with the usual error body, and closes the connection. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnsweringEarlierRequest(socket)) {
    return void socket.destroy()
  }
  const answer = new ApiError(rawCodes[error.code ?? ''] ?? 'VALIDATION_FAILED')
  const body = JSON.stringify(answer.toBody())
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      `Date: ${new Date(systemClock.now()).toUTCString()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
