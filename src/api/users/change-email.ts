/** `POST /users/me/email`: mails a link to a new address; the change needs that link and the sign-in that asked. */
import { Type } from 'typebox'
import { askChange } from '../../domain/address-change/ask-change.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import type { User } from '../../domain/users/user-store.ts'
import { limitKeyOf, requireProven, requireRecentSignIn, withAuthority } from '../../domain/sign-in/authority.ts'
import type { Transaction } from '../../database/database.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { readEmailAddress } from '../../http/input.ts'
import { perNetwork } from '../../http/rate-limit/rate-limits.ts'
import { mailboxOf } from '../../lib/text/email-address.ts'

const Body = Type.Object(
  { email: Type.String({ description: 'The new address.' }) },
  { additionalProperties: false, examples: [{ email: 'ana.pop@example.com' }] },
)

const Answer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'The request is accepted. The response is the same for every address.', examples: [{ ok: true }] },
)

export const changeEmail: Endpoint = (app, deps) => {
  const { clock, mailer, rateLimits, failureLog } = deps

  app.post('/users/me/email', {
    config: { access: 'authenticated', scope: 'account:write', errors: ['SIGN_IN_REQUIRED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'changeEmail',
      summary: 'Ask to change the e-mail address',
      description:
        'Requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. The new address gets a link, valid for ten minutes, whose page calls `POST /auth/email/confirm`; the present address gets a notice. An address that has an account gets a mail that says so; the response and its timing do not reveal it. A new request replaces an earlier one. Asking for the present address does nothing.',
      tags: ['Users'],
      'x-beyond-specification': true,
      body: Body,
      response: { 202: Answer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      const signInId = requireRecentSignIn(caller, clock.now())
      requireProven(caller.account)
      const email = readEmailAddress(request.body.email)
      await rateLimits
        .countMail(
          reply,
          request.ip,
          // None of the limits of link requests: a stranger's changes must not use up what an owner needs to sign in.
          ['email-changes', limitKeyOf(caller)],
          ...perNetwork('email-changes-client', request.ip),
          ['email-changes-address', mailboxOf(email)],
        )
        .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
      const ask = async (trx: Transaction, user: User) => {
        requireProven(user)
        if (user.email === email) return
        await askChange(deps, trx, user, {
          newEmail: email,
          signInId,
          locale: acceptedLanguage(request.raw),
          source: request,
        })
      }
      await withAuthority(deps, caller, ask)
      mailer.wake()
      reply.status(202)
      return { ok: true }
    },
  })
}
