/** `POST /auth/mail/resume`: the holder of a mailbox lifts the pause of the mails that others can cause. */
import { recordEvent } from '../../accounts/events.ts'
import { lockUser } from '../../accounts/user-store.ts'
import { inTransaction } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { deletePause, findAction, markUsed } from '../../mail/action-store.ts'
import { ButtonAnswer, ButtonBody } from './button.ts'

/** Adds the endpoint. */
export const resumeMail: Endpoint = (app, deps) => {
  const { db, clock, rateLimits } = deps

  app.post('/auth/mail/resume', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'resumeMail',
      summary: 'Get every mail again',
      description:
        'Takes the token of the button in the one mail a day that a paused address gets, valid for 7 days. A second time changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    async handler(request, reply) {
      const tokenHash = sha256(request.body.token)
      const isKnown = await inTransaction(db, async (trx) => {
        const action = await findAction(trx, 'resume_mail', tokenHash, clock.now())
        if (action === undefined) return false
        const user = await lockUser(trx, 'email', action.email)
        if (!(await markUsed(trx, tokenHash, clock.now()))) return true
        await deletePause(trx, action.email)
        if (user !== undefined) await recordEvent(trx, deps, { userId: user.id, type: 'mail_resumed' }, request)
        return true
      })
      if (!isKnown) {
        await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
        throw new ApiError('LINK_INVALID')
      }
      return { ok: true }
    },
  })
}
