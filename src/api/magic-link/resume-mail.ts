/** `POST /auth/mail/resume`: the holder of a mailbox ends the pause of mails that others can cause. */
import { recordEvent } from '../../domain/events/security-events.ts'
import { lockUser } from '../../domain/users/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { deletePause, findButton, markUsed } from '../../domain/mails/mail-button-store.ts'
import { releaseMailsTo } from '../../domain/mails/mail-queue-store.ts'
import { ButtonAnswer, ButtonBody, pressButton } from './mail-button.ts'

export const resumeMail: Endpoint = (app, deps) => {
  const { clock, mailer } = deps

  app.post('/auth/mail/resume', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'resumeMail',
      summary: 'End the pause of mails',
      description:
        'Takes the token of the button in the daily mail to a paused address, valid for 7 days. A second call changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    async handler(request, reply) {
      const answer = await pressButton(deps, request, reply, async (trx, tokenHash) => {
        const nowMs = clock.now()
        const button = await findButton(trx, 'resume_mail', tokenHash, nowMs)
        if (button === undefined) return false
        if (button.used_at_ms !== null) return true
        // The global lock order: user, mails, buttons, pause.
        const user = await lockUser(trx, 'email', button.email)
        await releaseMailsTo(trx, button.email, nowMs)
        if (!(await markUsed(trx, tokenHash, nowMs))) return true
        await deletePause(trx, button.email)
        if (user !== undefined) await recordEvent(trx, deps, { userId: user.id, type: 'mail_resumed' }, request)
        return true
      })
      mailer.wake()
      return answer
    },
  })
}
