/** The HTTP server without routes: size and time limits, request ids, security headers, error responses. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { maxHeaderSize } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { redact } from '../../lib/log.ts'
import type { Log } from '../../lib/log.ts'
import type { Random } from '../../lib/random.ts'
import { countFields } from '../raw-headers.ts'
import { compilersFactory } from './compiled-schemas.ts'
import { limitConnections } from './connection-limits.ts'
import { handlePreflights, setCorsHeaders } from './cors.ts'
import { drainWhenClosing } from './drain.ts'
import type { App } from '../endpoint.ts'
import { answerErrors, answerMalformedRequest, toErrorAnswer, urlError } from './error-responses.ts'
import type { AnswerAsPage, UnavailableReasonOf } from './error-responses.ts'
import { readBodies } from './json-body.ts'
import { endRequestsOfLeftCallers } from './left-callers.ts'
import { logRequests } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'

const BODY_LIMIT = 64 * 1024
const HEADERS_TIMEOUT_MS = 15_000
/** Fastify's default is no timeout. */
const REQUEST_TIMEOUT_MS = 30_000
const CHECK_INTERVAL_MS = 5000
/**
 * Closes a silent connection without an answer, so it must be longer than a request's timeout and the interval at which
 * that is checked: a body that stalls gets its 408.
 */
const SILENCE_TIMEOUT_MS = REQUEST_TIMEOUT_MS + 2 * CHECK_INTERVAL_MS
/** Longer than the keep-alive of common proxies, so that the proxy closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** No route has this path, but that of preflights, which come after the refusal. */
const NO_ROUTE = '/%00'

const REQUEST_ID = /^[\w.-]{1,128}$/

export function createServer(
  { config, log, random }: Readonly<{ config: Config; log: Log; random: Random }>,
  reasonOf: UnavailableReasonOf,
  answerAsPage: AnswerAsPage = () => false,
): App {
  const toAnswer = toErrorAnswer(reasonOf)
  const frontend = config.appUrl.origin
  const app = fastify({
    ...loggerOf(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // As long as Node allows a request line: an id of any length passes through the guard and gets a 404.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Node's own refusal does not have the API's error body; `refuseAmbiguousHost` checks instead.
      requireHostHeader: false,
    },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (request: IncomingMessage) => requestId(request, random),
    requestIdHeader: false,
    // While closing, requests on open connections are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory },
    clientErrorHandler: answerMalformedRequest,
    // For example a malformed percent-escape in the path. No hook has run yet, so it is routed again, to where all run.
    frameworkErrors: (error: unknown, { raw }: FastifyRequest, reply: FastifyReply) => {
      Object.assign(raw, { originalUrl: raw.url, url: NO_ROUTE, [urlError]: error })
      app.routing(raw, reply.raw)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  // Node would answer an unknown Expect itself, without the API's error body and headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connection', keepAddress)
  limitConnections(app.server, log)
  endRequestsOfLeftCallers(app)
  logRequests(app, config, log)
  readBodies(app)
  // Synchronous hooks use callbacks: a promise per hook would cost more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(frontend, request, reply)
    done()
  })
  answerErrors(app, config, toAnswer, answerAsPage)
  app.addHook('preParsing', (request, _reply, payload, done) => {
    refuseAmbiguousHost(request.raw)
    done(null, payload)
  })
  warnOfForgedForwarding(app, log)
  drainWhenClosing(app)
  handlePreflights(app, frontend)
  return app
}

// After a reset a socket has no address, unless it was read before. A caller could otherwise send requests without one.
function keepAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}

// No logger instance when nothing is logged: with one, Fastify adds a listener to every response.
function loggerOf(log: Log): FastifyServerOptions {
  if (!log.isLevelEnabled('fatal')) return {}
  const loggerInstance: FastifyBaseLogger = log
  // A child logger per request would cost more than the logging itself; `logRequests` adds the request's fields.
  return { loggerInstance, childLoggerFactory: (logger) => logger }
}

// The id appears in every log line, so one that looks like a secret is replaced.
function isSafeRequestId(id: string): boolean {
  return REQUEST_ID.test(id) && redact(id) === id
}

function requestId(request: IncomingMessage, random: Random): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && isSafeRequestId(given) ? given : random.plainUuid()
}

// RFC 9112, section 3.2: a proxy in front may have used the other of two Host fields.
function refuseAmbiguousHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  const hosts = countFields(rawHeaders, 'host')
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw new ApiError('VALIDATION_FAILED', { message: 'The request must have exactly one Host header.' })
}

function setCommonHeaders(frontend: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id)
  // Upgrades are ignored. Node then discards what follows the request, so the connection cannot be reused.
  if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
  setCorsHeaders(frontend, request, reply)
}

function warnOfForgedForwarding(app: App, log: Log): void {
  let hasWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    // An empty field names nobody: a trusted proxy's cannot be told from a forged one.
    if (!hasWarned && /[^\s,]/.test(String(request.headers['x-forwarded-for'] ?? ''))) warn(request)
    done()
  })

  function warn(request: FastifyRequest): void {
    // More than the socket's own address: the header came from a trusted proxy, even if it names the same address.
    if ((request.ips?.length ?? 0) > 1) return
    hasWarned = true
    log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For ignored: TRUST_PROXY does not contain the address of the peer. If the peer is a proxy, all its clients share one rate limit',
    )
  }
}
