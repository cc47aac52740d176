/** `POST /mcp`: the Model Context Protocol over Streamable HTTP, stateless, for AI assistants (docs/decisions/0065). */
import { Type } from 'typebox'
import { unauthorized } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { limitReads } from '../../http/rate-limit/read-limit.ts'

export const mcp: Endpoint = (app, deps) => {
  app.post('/mcp', {
    // Each tool has its scope.
    config: { access: 'authenticated', scope: null, resource: 'mcp', crossSite: 'refused' },
    // One message: batches, which the protocol has no more, would pass the limits.
    schema: { operationId: 'sendMcpMessage', hide: true, body: Type.Object({}) },
    // A person's sign-in may do everything: it is for people. An assistant gets a key or a grant of its own.
    onRequest: async (request) => {
      if (callerOf(request).apiKeyId === null) throw unauthorized('invalid_token')
    },
    async handler(request, reply) {
      await limitReads(deps, request, reply)
      // The SDK takes 130 ms and 27 MiB to load. A service without assistants does not need it.
      const { answerMessage } = await import('./answer-message.ts')
      const headers = new Headers({ 'content-type': 'application/json' })
      for (const name of ['accept', 'mcp-protocol-version']) {
        const value = request.headers[name]
        if (typeof value === 'string') headers.set(name, value)
      }
      const context = {
        deps,
        caller: callerOf(request),
        source: request,
        limitNewLinks: () => limitCaller(deps, request, reply, 'payment-links'),
        noteRefusal: (code: ErrorCode) => void (request.errorCode = code),
      }
      const response = await answerMessage(context, headers, request.body)
      const text = await response.text()
      reply.status(response.status)
      if (text !== '') reply.type('application/json')
      return reply.send(text)
    },
  })
}
