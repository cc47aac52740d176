/** `GET /auth/check`: forward-auth for gateways. */
import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import type { Endpoint } from '../../http/endpoint.ts'

/** All that Node parses, WebDAV's included; a CONNECT never becomes a request. */
const METHODS = NODE_METHODS.filter((method) => method !== 'CONNECT')

const text = (description: string) => ({ type: 'string', description })

const Allowed = Type.Null({
  description: 'The call is allowed. The headers identify its caller, for the gateway to forward.',
  headers: {
    'X-User-Id': text('The caller’s user id.'),
    'X-User-Role': text('The user’s role.'),
    'X-Api-Key-Id': text(
      'The record id of the API key that the token was issued for. Absent: the token is from a sign-in.',
    ),
    'X-Account-Claimed': {
      ...text(
        'Whether the holder of the account’s address has proven it. `false`: anybody may have signed up with it.',
      ),
      enum: ['true', 'false'],
    },
    'X-Currency': text('The currency of the call, or the default.'),
  },
})

export const check: Endpoint = (app) => {
  const config = { access: 'authenticated', isUncounted: true, ignoresQuery: true } as const

  // Without a body for Fastify, which would otherwise require a Content-Type of a QUERY.
  for (const method of METHODS.filter((one) => one === 'QUERY' || !app.supportedMethods.includes(one)))
    app.addHttpMethod(method, { overrideExisting: true })

  void app.register((scope, _options, done) => {
    // The Content-Type is that of the forwarded call, and so is the body, where a gateway sends it along.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, accept) => accept(null))
    scope.get('/auth/check', {
      config,
      schema: {
        operationId: 'check',
        summary: 'Authenticate a call for a gateway (forward-auth)',
        description:
          'A gateway calls it before it forwards a call, with the `Authorization` and `X-Currency` of that call. Do not cache the response: a revoked token is refused from the next call on. All methods except CONNECT, and all paths below this one, behave the same; the body is ignored.',
        tags: ['Gateways'],
        'x-beyond-specification': true,
        response: { 200: Allowed },
      },
      handler: allow,
    })
    // Envoy uses the method of the original call and appends its path. Includes OPTIONS: the CORS handler would answer
    // it with a 2xx, and the gateway would let the call through.
    const other = () => ({ config, schema: { hide: true }, handler: allow })
    scope.get('/auth/check/*', other())
    const method = METHODS.filter((one) => one !== 'GET' && one !== 'HEAD')
    for (const url of ['/auth/check', '/auth/check/*']) scope.route({ ...other(), url, method })
    done()
  })
}

// No query besides the guard's (docs/decisions/0021).
function allow(request: FastifyRequest, reply: FastifyReply): void {
  const { userId, role, apiKeyId, account } = callerOf(request)
  reply.header('x-user-id', userId)
  reply.header('x-user-role', role)
  if (apiKeyId !== null) reply.header('x-api-key-id', apiKeyId)
  reply.header('x-account-claimed', String(account.claimed_at_ms !== null))
  reply.send()
}
