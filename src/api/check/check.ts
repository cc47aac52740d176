/** `GET /auth/check`: whether a call may pass and who makes it, asked by a gateway before it lets the call through. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import type { Endpoint } from '../../http/endpoint.ts'

const text = (description: string) => ({ type: 'string', description })

const Allowed = Type.Null({
  description: 'The call may pass. What is known of its caller is in header fields, for the gateway to hand on.',
  headers: {
    'X-User-Id': text('The caller’s account.'),
    'X-User-Role': text('Its role.'),
    'X-Api-Key-Id': text('The key that the token came from; absent: a person signed in.'),
    'X-Currency': text('The currency of the call, the default included.'),
  },
})

/** Adds the endpoint. */
export const check: Endpoint = (app) => {
  const config = { access: 'authenticated', isUncounted: true } as const

  app.get('/auth/check', {
    config,
    schema: {
      operationId: 'check',
      summary: 'Who makes a call, for a gateway (forward-auth)',
      description:
        'Asked before another service is called, with the `Authorization` and `X-Currency` of that call. The answer must not be kept: a token that is revoked is refused from the next call on. Every method is answered alike, and so is every path below this one.',
      tags: ['Gateways'],
      'x-beyond-specification': true,
      response: { 200: Allowed },
    },
    handler: allow,
  })
  // Envoy asks by the method and below it by the path of the call that it holds.
  const other = () => ({ config, schema: { hide: true }, handler: allow })
  app.get('/auth/check/*', other())
  // OPTIONS too: the answer to a preflight is a 2xx, by which a gateway would let the call pass.
  const method = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const url of ['/auth/check', '/auth/check/*']) app.route({ ...other(), url, method })
}

// The guard has read the account's state, and nothing else is asked of the database: docs/decisions/0021.
function allow(request: FastifyRequest, reply: FastifyReply): void {
  const { userId, role, apiKeyId } = callerOf(request)
  reply.header('x-user-id', userId)
  reply.header('x-user-role', role)
  if (apiKeyId !== null) reply.header('x-api-key-id', apiKeyId)
  reply.send()
}
