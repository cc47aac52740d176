/** `POST /auth/api/signup`: creates an account and its first API key, and issues a token, in one call. */
import { Type } from 'typebox'
import { KEY_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { AddressReservedError, insertFreeUser, newUser } from '../../domain/users/claim.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { insertKey } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DisplayText, readEmailAddress } from '../../http/input.ts'
import { perNetwork } from '../../http/rate-limit/rate-limits.ts'
import { displayEmailAddress } from '../../lib/text/email-address.ts'
import { clientNetwork } from '../../lib/network.ts'
import { acceptedLanguage } from '../../http/negotiation/accepted-language.ts'
import { enqueueMail } from '../../domain/mails/mail-queue-store.ts'
import { newMail } from '../../domain/mails/new-mail.ts'
import { newKey } from '../../domain/keys/new-key.ts'

const Body = Type.Object(
  {
    email: Type.String({ description: 'E-mail of the new account.' }),
    name: Type.Optional(DisplayText('Display name. Payers see it.')),
    keyName: Type.Optional(DisplayText('Name of the first API key. Default: "API key".')),
  },
  {
    additionalProperties: false,
    examples: [{ email: 'ana@example.com', name: 'Ana', keyName: 'Billing server' }],
  },
)

const Answer = Type.Object(
  {
    user: Type.Object({ id: Type.String(), email: Type.String() }),
    apiKey: Type.Object({ id: Type.String(), name: Type.String(), keyId: Type.String() }),
    keySecret: Type.String({ description: 'Returned only in this response.' }),
    token: Type.String({ description: 'An access token of the first key.' }),
    tokenType: Type.Literal('Bearer'),
    expiresInSeconds: Type.Integer(),
    needsOnboarding: Type.Boolean({ description: 'True: the address is not proven yet.' }),
  },
  {
    description: 'The account and its first key are created.',
    examples: [
      {
        user: { id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10', email: 'ana@example.com' },
        apiKey: {
          id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
          name: 'Billing server',
          keyId: 'plk_4fR7sQ0bXy2LkTz9WcNd1e',
        },
        keySecret: 'pls_…53 characters',
        token: 'eyJ…',
        tokenType: 'Bearer',
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        needsOnboarding: true,
      },
    ],
  },
)

function falseIfReserved(error: unknown): false {
  if (!(error instanceof AddressReservedError)) throw error
  return false
}

export const signup: Endpoint = (app, deps) => {
  const { config, db, mailer, accessTokens, rateLimits, failureLog } = deps

  app.post('/auth/api/signup', {
    config: {
      access: 'public',
      signIn: 'signup',
      crossSite: 'refused',
      errors: ['SIGNUP_CLOSED', 'EMAIL_TAKEN', 'RATE_LIMITED'],
    },
    schema: {
      operationId: 'signup',
      summary: 'Create an account and its first API key',
      description:
        'The account stays unclaimed until somebody proves the address. A mail notifies the owner of the address.',
      tags: ['API keys'],
      body: Body,
      response: { 201: Answer },
    },
    async handler(request, reply) {
      if (config.signup === 'closed') throw new ApiError('SIGNUP_CLOSED')
      const email = readEmailAddress(request.body.email)
      const client = clientNetwork(request.ip)
      await rateLimits.countMail(
        reply,
        request.ip,
        ...perNetwork('signup-hour', request.ip),
        ...perNetwork('signup-day', request.ip),
      )

      const { name = null, keyName } = request.body
      const locale = acceptedLanguage(request.raw)
      const user = newUser(deps, { email, locale, name, claimedAtMs: null })
      const key = newKey(deps, { userId: user.id, name: keyName })
      const isNew = await db
        .transaction(async (trx) => {
          // On a full disk only the insert of a free address fails, so a 503 tells as much as a 409.
          rateLimits.keep(reply)
          if (!(await insertFreeUser(trx, user))) return false
          await insertKey(trx, key.row)
          const event = { userId: user.id, type: 'account_created', apiKeyId: key.row.id } as const
          await recordEvent(trx, deps, event, request)
          await enqueueMail(trx, newMail(deps, { kind: 'signup_notice', email, locale, ip: request.ip }))
          return true
        })
        .catch(falseIfReserved)
      if (!isNew) {
        failureLog.note({
          type: 'signup_refused',
          who: { by: 'email', value: email },
          client,
          browser: request.browser,
        })
        throw new ApiError('EMAIL_TAKEN')
      }
      await rateLimits.note('request-address', email)
      mailer.wake()

      const { id, name: storedName, key_id: keyId } = key.row
      reply.status(201)
      return {
        user: { id: user.id, email: displayEmailAddress(email) },
        apiKey: { id, name: storedName, keyId },
        keySecret: key.secret,
        token: accessTokens.issue({
          userId: user.id,
          role: user.role,
          tokenVersion: user.token_version,
          amr: 'api_key',
          apiKeyId: id,
          lifetimeSeconds: KEY_LIFETIME_SECONDS,
        }),
        tokenType: 'Bearer' as const,
        expiresInSeconds: KEY_LIFETIME_SECONDS,
        needsOnboarding: true,
      }
    },
  })
}
