/** `GET /auth/check`: forward-auth for gateways. */
import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { hasScope, parseRestrictions, scopesOf } from '../../domain/keys/restrictions/restrictions.ts'
import { scopeNames } from '../../domain/keys/restrictions/scopes.ts'
import type { Scope } from '../../domain/keys/restrictions/scopes.ts'
import { insufficientScope } from '../../errors.ts'
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
    'X-Api-Key-Scopes': text('What the API key may do, separated by spaces. Absent: the token is from a sign-in.'),
    'X-Account-Claimed': {
      ...text(
        'Whether the holder of the account’s address has proven it. `false`: anybody may have signed up with it.',
      ),
      enum: ['true', 'false'],
    },
    'X-Currency': text('The currency of the call, or the default.'),
  },
})

const Query = Type.Object({
  scope: Type.Optional(
    Type.Enum(scopeNames, { title: 'Scope', description: 'What the call needs of a token of a restricted API key.' }),
  ),
})

type Query = Static<typeof Query>

export const check: Endpoint = (app) => {
  const config = { access: 'authenticated', scope: null, isUncounted: true, ignoresQuery: true } as const

  // Without a body for Fastify, which would otherwise require a Content-Type of a QUERY.
  for (const method of METHODS.filter((one) => one === 'QUERY' || !app.supportedMethods.includes(one)))
    app.addHttpMethod(method, { overrideExisting: true })

  void app.register((scope, _options, done) => {
    // The Content-Type is that of the forwarded call, and so is the body, where a gateway sends it along.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, accept) => accept(null))
    scope.get('/auth/check', {
      config: { ...config, errors: ['INSUFFICIENT_SCOPE'] },
      schema: {
        operationId: 'check',
        summary: 'Authenticate a call for a gateway (forward-auth)',
        description:
          'A gateway calls it before it forwards a call, with the `Authorization` and `X-Currency` of that call. Do not cache the response: a revoked token is refused from the next call on. With `scope`, a token of an API key without that scope is refused. Without it, a token of an API key with restricted scopes is refused, so that a gateway that does not ask for one does not let it do everything. All methods except CONNECT behave the same, and the body is ignored. So do all paths below this one, but their query is that of the original call, so `scope` in it means nothing.',
        tags: ['Gateways'],
        'x-beyond-specification': true,
        querystring: Query,
        response: { 200: Allowed },
      },
      handler: (request, reply) => allow(request, reply, (request.query as Query).scope),
    })
    // Envoy uses the method of the original call and appends its path. Includes OPTIONS: the CORS handler would answer
    // it with a 2xx, and the gateway would let the call through.
    const method = METHODS.filter((one) => one !== 'GET' && one !== 'HEAD')
    scope.route({
      config,
      schema: { hide: true, querystring: Query },
      url: '/auth/check',
      method,
      handler: (request, reply) => allow(request, reply, (request.query as Query).scope),
    })
    const below = () => ({
      config,
      schema: { hide: true },
      handler: (request: FastifyRequest, reply: FastifyReply) => allow(request, reply),
    })
    scope.get('/auth/check/*', below())
    scope.route({ ...below(), url: '/auth/check/*', method })
    done()
  })
}

// No query besides the guard's (docs/decisions/0021).
function allow(request: FastifyRequest, reply: FastifyReply, asked?: Scope): void {
  const caller = callerOf(request)
  const restrictions = parseRestrictions(caller.account.effective_restrictions)
  if (asked === undefined ? restrictions?.scopes !== undefined : !hasScope(restrictions, asked)) {
    // As where the guard refuses: a gateway may pass on what it gets.
    reply.removeHeader('x-currency')
    throw insufficientScope(asked)
  }
  const { userId, role, apiKeyId, account } = caller
  reply.header('x-user-id', userId)
  reply.header('x-user-role', role)
  if (apiKeyId !== null) {
    reply.header('x-api-key-id', apiKeyId)
    reply.header('x-api-key-scopes', scopesOf(restrictions).join(' '))
  }
  reply.header('x-account-claimed', String(account.claimed_at_ms !== null))
  reply.send()
}
