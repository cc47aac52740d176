/** `GET /users/me/export`: everything stored about the caller, as JSON (GDPR, article 20). */
import { callerOf } from '../../http/guard.ts'
import { requireValidToken, requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { recordRepeatedEvent } from '../../domain/events/security-events.ts'
import { exportAccount } from '../../domain/users/account-export.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { jsonStream } from '../../http/json-stream.ts'
import { ExportAnswer } from './export-answer.ts'
import type { Exported } from './export-answer.ts'

/** The long lists page by page. */
type Fields = Readonly<{ [Field in keyof Exported]: Exported[Field] | AsyncIterable<Exported[Field]> }>

export const exportMe: Endpoint = (app, deps) => {
  app.get('/users/me/export', {
    config: { access: 'authenticated', scope: 'account:read', errors: ['SIGN_IN_REQUIRED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'exportMe',
      summary: 'Export everything stored about the current user',
      description:
        'Amounts are in the currency of the call. Mails and events about the mailbox or the address are left out until the address is proven. After that, a token from a magic-link or Google sign-in is required.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: ExportAnswer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      requirePersonIfClaimed(caller, caller.account)
      await limitCaller(deps, request, reply, 'export')
      const { userId } = caller
      const user = await withAuthority(deps, caller, async (trx, locked) => {
        await recordRepeatedEvent(trx, deps, { userId, type: 'exported' }, request)
        return locked
      })
      // Every page is sent only if the token is still in force after the read. A caller from before a claim must not
      // see what the owner added since, and the export of a deleted account must stop.
      const check = () => requireValidToken(deps, caller)
      const fields: Fields = await exportAccount(deps, user, request.currency, check)
      reply.header('content-disposition', 'attachment; filename="account.json"')
      reply.type('application/json; charset=utf-8')
      return reply.send(jsonStream(fields) as never)
    },
  })
}
