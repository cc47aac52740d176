/** Cross-origin calls (Fetch standard, section 3.3): the application frontend may read every answer, and no other origin any. */
import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../endpoint.ts'

const EXPOSED = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Currency'

/**
 * Lets the frontend read an answer, an error too; and tells caches that others get another one. For answers of which
 * nothing has been said yet.
 * @param origin the frontend's
 */
export function exposeTo(origin: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin')
  if (request.headers.origin !== origin) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', EXPOSED)
}

/** Answers preflights. @param origin the frontend's */
export function answerPreflights(app: App, origin: string): void {
  // In a scope of its own, so that its hook, which makes up its options anew each time, runs for preflights only.
  void app.register((scope, _options, done) => {
    void scope.register(cors, {
      origin: [origin],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-Currency', 'X-Request-Id', 'Idempotency-Key'],
      credentials: false,
      maxAge: 600,
      strictPreflight: false,
    })
    done()
  })
}
