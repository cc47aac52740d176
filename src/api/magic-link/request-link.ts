/** `POST /auth/request`: queues a sign-in mail; the response is the same for every address. */
import { Type } from 'typebox'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { readEmailAddress } from '../../http/input.ts'
import { perNetwork } from '../../http/rate-limit/rate-limits.ts'
import { parseRedirectTarget, RedirectTo } from '../../http/redirect-target.ts'
import { mailboxOf } from '../../lib/text/email-address.ts'
import { clientNetwork } from '../../lib/network.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import { enqueueMail } from '../../domain/mails/mail-queue-store.ts'
import { newMail } from '../../domain/mails/new-mail.ts'

const Body = Type.Object(
  {
    email: Type.String({ description: 'The address the link is sent to.' }),
    redirectTo: RedirectTo(
      'The URL to redirect the browser to after the sign-in, on the origin of the application frontend.',
    ),
  },
  {
    additionalProperties: false,
    examples: [{ email: 'ana@example.com' }],
  },
)

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'The request is accepted. The response is the same for every address.', examples: [{ ok: true }] },
)

export const requestLink: Endpoint = (app, deps) => {
  const { config, db, mailer, rateLimits, failureLog } = deps

  app.post('/auth/request', {
    config: {
      access: 'public',
      crossSite: 'refused',
      errors: ['REDIRECT_NOT_ALLOWED', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'requestLink',
      summary: 'Request a magic-link e-mail',
      description:
        'The response and its timing do not reveal whether the address has an account. A 200 means that the mail is stored and will be sent: at once, or later if the mailbox has reached its limit of mails that anybody can cause.',
      tags: ['Magic link'],
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const email = readEmailAddress(request.body.email)
      const { redirectTo } = request.body
      const target = redirectTo === undefined ? undefined : parseRedirectTarget(config.appUrl, redirectTo)
      const clientAndMailbox = `${clientNetwork(request.ip)} ${mailboxOf(email)}`
      await rateLimits
        .countMail(
          reply,
          request.ip,
          ...perNetwork('request-client', request.ip),
          ['request-repeat', clientAndMailbox],
          ['request-address-client', clientAndMailbox],
          // Per address, not per mailbox: a stranger could use up a mailbox's limit with `+tag` addresses, whose links
          // do not sign in to this account.
          ['request-address', email],
        )
        .catch(noteLimitHit(failureLog, request, { by: 'email', value: email }))
      const mail = newMail(deps, {
        kind: 'sign_in',
        email,
        locale: acceptedLanguage(request.raw),
        redirectTo: target,
        ip: request.ip,
        browser: request.browser,
      })
      await enqueueMail(db, mail)
      mailer.wake()
      return { ok: true }
    },
  })
}
