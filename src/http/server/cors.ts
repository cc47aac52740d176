/** CORS (Fetch standard, section 3.3): only the application frontend's origin may read responses. */
import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../endpoint.ts'

const EXPOSED = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Currency, Idempotent-Replayed'

/**
 * Sets the CORS headers of a response, errors included. Overwrites `Vary`: call it before anything else adds to it.
 * @param origin the frontend's
 */
export function setCorsHeaders(origin: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin')
  if (request.headers.origin !== origin) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', EXPOSED)
}

/** Answers preflights. @param origin the frontend's */
export function handlePreflights(app: App, origin: string): void {
  // A scope of its own limits the plugin's hook, which rebuilds its options on every request, to preflights.
  void app.register((scope, _options, done) => {
    void scope.register(cors, {
      origin: [origin],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'X-Currency',
        'X-Request-Id',
        'Idempotency-Key',
        // W3C Trace Context: frontends with tracing add them to every call.
        'traceparent',
        'tracestate',
      ],
      credentials: false,
      maxAge: 600,
      strictPreflight: false,
    })
    done()
  })
}
