/** The HTTP server before it has routes: limits in size and time, request ids, security headers, one error writer. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { maxHeaderSize } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { redact } from '../../lib/log.ts'
import type { Log } from '../../lib/log.ts'
import type { Random } from '../../lib/random.ts'
import { countFields } from '../raw-headers.ts'
import { compilersFactory } from './compiled-schemas.ts'
import { limitConnections } from './connection-limits.ts'
import { answerPreflights, exposeTo } from './cors.ts'
import { drainWhenClosing } from './drain.ts'
import type { App } from '../endpoint.ts'
import { answerErrors, answerMalformedRequest, toErrorAnswer } from './error-answers.ts'
import type { IsUnavailable } from './error-answers.ts'
import { parseJson } from './json-body.ts'
import { securityHeaders } from './security-headers.ts'

/** The largest request body, in bytes. */
const BODY_LIMIT = 64 * 1024
/** Within which a request's headers must have arrived, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000
/** Within which a whole request must have arrived, in milliseconds. The framework's default is never. */
const REQUEST_TIMEOUT_MS = 30_000
/** How long an idle connection is kept, in milliseconds: longer than the usual proxy in front keeps it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

const REQUEST_ID = /^[\w.-]{1,128}$/

/**
 * Makes the server.
 * @param isUnavailable tells a database that is away from a fault of ours
 */
export function createServer(
  { config, log, random }: Readonly<{ config: Config; log: Log; random: Random }>,
  isUnavailable: IsUnavailable,
): App {
  const toAnswer = toErrorAnswer(isUnavailable)
  const frontend = config.appUrl.origin
  const app = fastify({
    ...loggerOf(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // As long as Node lets a request line be: an id of any length meets the guard, and then is not found.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 5000,
      // The platform's own refusal is no error of ours in its shape: see `refuseUnclearHost`.
      requireHostHeader: false,
    },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (request: IncomingMessage) => requestId(request, random),
    requestIdHeader: false,
    // While closing, what still arrives on an open connection is served rather than refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory },
    clientErrorHandler: answerMalformedRequest,
    // For example a malformed percent escape in the path: no hook has run then.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      setCommonHeaders(frontend, request, reply)
      const answer = toAnswer(error, request)
      void reply.status(answer.status).send(answer.toBody())
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  // Node would answer an Expect that it does not know by itself, without our shape and headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  limitConnections(app.server, log)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson(app))
  // Hooks that wait for nothing take a callback: a promise for each would cost every call more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(frontend, request, reply)
    done()
  })
  answerErrors(app, toAnswer)
  app.addHook('preParsing', (request, _reply, payload, done) => {
    refuseUnclearHost(request.raw)
    done(null, payload)
  })
  warnOfForgedForwarding(app, log)
  logRequests(app, log)
  drainWhenClosing(app)
  answerPreflights(app, frontend)
  return app
}

// Without one where nothing is logged: the framework would look after every answer's end.
function loggerOf(log: Log): FastifyServerOptions {
  if (!log.isLevelEnabled('fatal')) return {}
  const loggerInstance: FastifyBaseLogger = log
  // One of its own for every request would cost more than all it logs: whoever of us logs names the request. What
  // the framework says itself, of answers sent twice for example, has no id.
  return { loggerInstance, childLoggerFactory: (logger) => logger }
}

// It goes into every log line: one that looks like a secret does not.
function isSaneRequestId(id: string): boolean {
  return REQUEST_ID.test(id) && redact(id) === id
}

function requestId(request: IncomingMessage, random: Random): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && isSaneRequestId(given) ? given : random.plainUuid()
}

// RFC 9112, section 3.2: of two, a proxy in front may have believed the other one.
function refuseUnclearHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  const hosts = countFields(rawHeaders, 'host')
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw new ApiError('VALIDATION_FAILED', { message: 'The request must have one Host field.' })
}

function setCommonHeaders(frontend: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id)
  // No upgrade is taken. Node then drops what the caller sent behind the request: nothing more is read from that connection.
  if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
  exposeTo(frontend, request, reply)
}

function warnOfForgedForwarding(app: App, log: Log): void {
  let hasWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) warn(request)
    done()
  })

  function warn(request: FastifyRequest): void {
    // More than the socket's own: the header was believed, also where it names that same address.
    if ((request.ips?.length ?? 0) > 1) return
    hasWarned = true
    log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For ignored: it came from an address that TRUST_PROXY does not name. Behind a proxy, all its clients now share one rate limit',
    )
  }
}

// The route's pattern, never the URL: that holds link tokens and whatever a caller puts there.
function logRequests(app: App, log: Log): void {
  if (!log.isLevelEnabled('info')) return
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        client: request.ip,
        ...(request.errorCode === null ? {} : { code: request.errorCode }),
        ...(request.caller && { userId: request.caller.userId, apiKeyId: request.caller.apiKeyId }),
      },
      'request',
    )
    done()
  })
}
