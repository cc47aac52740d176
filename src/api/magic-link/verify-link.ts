/** `GET /auth/verify`: exchanges a magic-link token for an access token; redirects browsers to `/confirm`. */
import { Type } from 'typebox'
import { AccountDisabledError, AddressReservedError, claimOrCreateAccount } from '../../domain/users/claim.ts'
import { SIGN_IN_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { startFirstSignIn, startSignIn } from '../../domain/sign-in/start-sign-in.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { consumeLink, findLink } from '../../domain/sign-in/magic-link-store.ts'
import { needsOnboarding } from '../../domain/users/onboarding.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { mayShowPage } from '../../http/negotiation/negotiation.ts'
import { parseRedirectTarget, RedirectTo } from '../../http/redirect-target.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { findAddressOfLink, recordSignIn } from '../../domain/mails/mail-button-store.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import { deleteAttemptedMail } from '../../domain/mails/mail-queue-store.ts'

const Query = Type.Object({
  token: Type.String({ description: 'The token of the mailed link.', examples: ['Vb0…43 characters'] }),
  redirectTo: RedirectTo('The URL to redirect the browser to afterwards. Overrides the one of `POST /auth/request`.'),
})

const Answer = Type.Object(
  {
    token: Type.String({ description: 'The access token, valid for 7 days.' }),
    needsOnboarding: Type.Boolean({
      description: 'True if there is no display name, or API keys await the owner.',
    }),
  },
  {
    description: 'Signed in. The link is consumed.',
    examples: [
      { token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl', needsOnboarding: true },
    ],
  },
)

class LinkGoneError extends Error {}

function undefinedIfGone(error: unknown): undefined {
  const isRefusal =
    error instanceof LinkGoneError || error instanceof AccountDisabledError || error instanceof AddressReservedError
  if (!isRefusal) throw error
}

/** HEAD never reads the token, so that link scanners do not consume it. */
export const verifyLink: Endpoint = (app, deps) => {
  const { config, db, clock, random, accessTokens, rateLimits, failureLog } = deps

  app.head('/auth/verify', { config: { access: 'public' }, schema: { hide: true } }, async () => '')

  app.get('/auth/verify', {
    exposeHeadRoute: false,
    config: {
      access: 'public',
      signIn: 'magic_link',
      errors: ['REDIRECT_NOT_ALLOWED', 'LINK_INVALID', 'SIGNUP_CLOSED', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'verifyLink',
      summary: 'Verify a magic-link token',
      description:
        'Programs get the access token. A GET that accepts text/html is redirected to the page /confirm, which asks for a click and then calls this endpoint as a program. So mail scanners that open links do not consume them.',
      tags: ['Magic link'],
      querystring: Query,
      response: {
        200: Answer,
        302: Type.Null({ description: 'A browser is redirected to the page /confirm.' }),
      },
    },
    async handler(request, reply) {
      const { token, redirectTo } = request.query
      const target = redirectTo === undefined ? undefined : parseRedirectTarget(config.appUrl, redirectTo)
      const tokenHash = sha256(token)
      addVary(reply, 'Accept')
      if (mayShowPage(request)) {
        const link = await findLink(db, tokenHash, clock.now())
        const confirm = new URLSearchParams({ token })
        const storedTarget = target ?? link?.redirect_to
        if (storedTarget) confirm.set('redirectTo', storedTarget)
        // In the fragment, which never reaches a server, a proxy log or a Referer.
        return reply.redirect(`${config.publicUrl}/confirm#${confirm.toString()}`, 302)
      }

      const signInId = random.uuid()
      const signedIn = await db
        .transaction(async (trx) => {
          const seen = await findLink(trx, tokenHash, clock.now())
          if (seen === undefined) throw new LinkGoneError()
          // The global lock order: user (created here if new), mails, links. Deleting the mails waits for one that is
          // being sent, so its link exists by then and is voided too.
          const proof = { email: seen.email, locale: acceptedLanguage(request.raw), source: request }
          const { user, isNew } = await claimOrCreateAccount(deps, trx, proof)
          await deleteAttemptedMail(trx, 'sign_in', seen.email)
          // Used or voided while this call waited for locks: roll back.
          if (!(await consumeLink(trx, tokenHash, clock.now()))) throw new LinkGoneError()
          await recordSignIn(trx, tokenHash, signInId)
          const start = isNew ? startFirstSignIn : startSignIn
          await start(deps, trx, { id: signInId, user, method: 'magic_link', source: request })
          return { user, needsOnboarding: await needsOnboarding(trx, user, clock.now()) }
        })
        .catch(undefinedIfGone)
      if (signedIn === undefined) {
        const client = clientNetwork(request.ip)
        const who = { by: 'email', value: (await findAddressOfLink(db, tokenHash)) ?? '' } as const
        await rateLimits.count(reply, ['sign-in-failures', client]).catch(noteLimitHit(failureLog, request, who))
        failureLog.note({ type: 'sign_in_refused', who, client, browser: request.browser })
        throw new ApiError('LINK_INVALID')
      }
      deps.mailer.wake()
      const { user } = signedIn
      return {
        token: accessTokens.issue({
          userId: user.id,
          role: user.role,
          tokenVersion: user.token_version,
          amr: 'magic_link',
          sid: signInId,
          lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS,
        }),
        needsOnboarding: signedIn.needsOnboarding,
      }
    },
  })
}
