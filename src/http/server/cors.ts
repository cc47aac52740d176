/** CORS (Fetch standard, section 3.3): only the application frontend's origin may read responses, except those of routes with `cors: 'any'`. */
import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../endpoint.ts'

const EXPOSED =
  'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Currency, Idempotent-Replayed'

/**
 * Sets the CORS headers of a response, errors included. Overwrites `Vary`: call it before anything else adds to it.
 * @param origin the frontend's
 */
export function setCorsHeaders(origin: string, request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.cors === 'any') {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
    return
  }
  reply.header('vary', 'Origin')
  if (request.headers.origin !== origin) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', EXPOSED)
}

const ALLOWED = [
  'Authorization',
  'Content-Type',
  'X-Currency',
  'X-Request-Id',
  'Idempotency-Key',
  // W3C Trace Context: frontends with tracing add them to every call.
  'traceparent',
  'tracestate',
  // Clients of MCP send its version with every request after the first.
  'MCP-Protocol-Version',
]

/** Answers preflights. @param origin the frontend's */
export function handlePreflights(app: App, origin: string): void {
  const open = new Set<string>()
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.cors === 'any') open.add(url)
  })
  // A scope of its own limits the plugin's hook, which rebuilds its options on every request, to preflights.
  void app.register((scope, _options, done) => {
    void scope.register(cors, {
      delegator({ url }, answer) {
        const isOpen = open.has(url.split('?')[0] ?? '')
        answer(null, {
          origin: isOpen ? '*' : [origin],
          methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
          allowedHeaders: ALLOWED,
          credentials: false,
          maxAge: 600,
          strictPreflight: false,
        })
      },
    })
    done()
  })
}
