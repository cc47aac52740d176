/** `PATCH /auth/api-keys/:id`: renames a key, and changes what it may do from the next call on. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { exampleRestrictions, Restrictions } from '../restrictions-schema.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import type { Caller } from '../../domain/sign-in/authority.ts'
import { recordEvent, recordRepeatedEvent, WIDENED } from '../../domain/events/security-events.ts'
import { requireTrimmedKeyHistory } from '../../domain/keys/key-history.ts'
import { recordCallerAsMaker, requireAuthorityOver } from '../../domain/keys/key-family.ts'
import { DEFAULT_KEY_NAME } from '../../domain/keys/new-key.ts'
import { isWithin, storeRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import type { StoredRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { storeRestrictionsOf } from '../../domain/keys/restrictions/restriction-descent.ts'
import { findKey, updateKey } from '../../domain/keys/key-store.ts'
import type { ApiKey } from '../../domain/keys/key-store.ts'
import { queueNotice } from '../../domain/mails/notices.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { allowEmptyBody, DisplayText } from '../../http/input.ts'
import { KeyParams } from './key-path.ts'

const Body = Type.Object(
  {
    name: Type.Optional(
      Type.Union([DisplayText('A label.'), Type.Null()], { description: 'Null: the default, "API key".' }),
    ),
    restrictions: Type.Optional(
      Type.Union([Restrictions, Type.Null()], {
        description: 'Replaces all restrictions of the key. Null removes them. Absent: they stay.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ restrictions: exampleRestrictions }] },
)

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  {
    description: 'The current state of the key.',
    examples: [{ apiKey: { ...exampleApiKey, restrictions: exampleRestrictions } }],
  },
)

export const updateKeyEndpoint: Endpoint = (app, deps) => {
  app.patch('/auth/api-keys/:id', {
    config: {
      access: 'authenticated',
      scope: 'keys:write',
      errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
    },
    schema: {
      operationId: 'updateKey',
      summary: 'Rename or restrict an API key',
      description:
        'Restrictions hold from the next call on, on every process, also for tokens issued before. They narrow every key created with a token of this key too, and a key never may do more than the key above it. A token from an API key can only narrow. On an account with a proven address, and on any account if its key has restrictions or an expiry, it can change only that key and the keys created with it, transitively. Otherwise: SIGN_IN_REQUIRED. The owner gets a mail when a key may do more than before; such changes are limited like new keys.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      params: KeyParams,
      body: Body,
      response: { 200: Answer },
    },
    preValidation: allowEmptyBody,
    async handler(request, reply) {
      const caller = callerOf(request)
      const { name, restrictions: asked } = request.body
      const restrictions = asked === undefined ? undefined : storeRestrictions(asked)
      // What a key may do is handed down to all keys below it, of which an account from before the bounds has many.
      if (request.body.restrictions !== undefined) await requireTrimmedKeyHistory(deps, caller.userId)
      // Widening sends mail, so it is limited like a new key. Narrowing is not: it stops a stolen key.
      const known =
        restrictions === undefined || caller.apiKeyId !== null
          ? undefined
          : await findKey(deps.db, caller.userId, request.params.id)
      const isCounted = known !== undefined && widens(restrictions, known)
      if (isCounted) await limitCaller(deps, request, reply, 'key-creation')
      const answer = await withAuthority(deps, caller, async (trx, user) => {
        const nowMs = deps.clock.now()
        let key = await findKey(trx, user.id, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        await requireAuthorityOver(trx, caller, user, key.id)
        if (name !== undefined) {
          key = { ...key, name: name ?? DEFAULT_KEY_NAME }
          await updateKey(trx, key.id, { name: key.name })
        }
        if (restrictions !== undefined && restrictions !== key.restrictions) {
          const isWider = widens(restrictions, key)
          if (isWider) requirePersonToWiden(caller)
          // Narrowed since it was read above: otherwise a loop of both changes would escape the limit.
          if (isWider && !isCounted) throw changedMeanwhile()
          key = await storeRestrictionsOf(trx, { ...key, restrictions }, nowMs)
          const event = { userId: user.id, type: 'key_restricted', apiKeyId: key.id } as const
          if (!isWider) await recordRepeatedEvent(trx, deps, event, request)
          else {
            // As for a new key: who holds the secret of this one can do more now.
            await recordEvent(trx, deps, { ...event, detail: WIDENED }, request)
            await recordCallerAsMaker(trx, deps, caller, { keyId: key.id, how: 'widened' })
            await queueNotice(deps, trx, 'security_notice', user, nowMs)
          }
        }
        return { apiKey: describeKey(key, nowMs) }
      })
      deps.mailer.wake()
      return answer
    },
  })
}

const widens = (asked: StoredRestrictions | undefined, { restrictions }: ApiKey): boolean =>
  asked !== undefined && !isWithin(asked, restrictions)

function requirePersonToWiden({ apiKeyId }: Caller): void {
  if (apiKeyId === null) return
  const message =
    'A token from an API key can only narrow what a key may do. Use a token from a magic-link or Google sign-in.'
  throw new ApiError('SIGN_IN_REQUIRED', { message })
}

const changedMeanwhile = () =>
  new ApiError('UNAVAILABLE', {
    message: 'The key was changed at the same time. Try again.',
    headers: { 'retry-after': '1' },
  })
