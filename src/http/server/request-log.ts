/** The line of each request, and the fields that all lines of a request share. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/settings.ts'
import { openLogScope } from '../../lib/log.ts'
import type { Log, LogScope } from '../../lib/log.ts'
import type { App } from '../endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the first hook. */
    logScope: LogScope | null
  }
}

/** Called again and again by machines: health checks, gateways, Prometheus. */
const CHECKS = new Set(['/healthz', '/readyz', '/metrics', '/api/v1/auth/check', '/api/v1/auth/check/*'])

/** W3C Trace Context, section 3.2.2: later versions may append fields; an id of zeros is invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}((?<!^00.*)-.*)?$/

/** Add it before hooks that log. */
export function logRequests(app: App, { requestLog }: Pick<Config, 'requestLog'>, log: Log): void {
  app.decorateRequest('logScope', null)
  if (!log.isLevelEnabled('fatal')) return
  app.addHook('onRequest', (request, _reply, done) => {
    request.logScope = openLogScope(fieldsOf(request))
    request.logScope.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const isLeftOut = requestLog === 'without-checks' && reply.statusCode < 400 && CHECKS.has(route)
    if (!isLeftOut && log.isLevelEnabled('info')) {
      log.info(
        {
          ...request.logScope?.fields,
          method: request.method,
          // The pattern, never the URL, which contains link tokens and arbitrary text of the caller.
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          client: request.ip,
          ...(request.errorCode === null ? {} : { code: request.errorCode }),
          ...(request.caller && { userId: request.caller.userId, apiKeyId: request.caller.apiKeyId }),
        },
        'request',
      )
    }
    request.logScope?.close()
    done()
  })
}

function fieldsOf({ id, headers: { traceparent } }: FastifyRequest): LogScope['fields'] {
  const traceId = traceIdIn(traceparent)
  return { requestId: id, ...(traceId !== undefined && { traceId }) }
}

/** The trace id of a valid `traceparent`. */
export function traceIdIn(traceparent: unknown): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined
}
