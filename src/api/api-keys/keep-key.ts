/** `POST /auth/api-keys/:id/keep`: the owner approves a key created before they first signed in, and it works again. */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import type { Transaction } from '../../database/database.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { recordCallerAsMaker } from '../../domain/keys/key-family.ts'
import { findKey, updateKey } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { noteKeyLimit, requireRoomForLiveKey } from './key-limit.ts'
import { KeyParams } from './key-path.ts'

const Answer = Type.Object(
  { apiKey: ApiKeyAnswer },
  { description: 'The current state of the key.', examples: [{ apiKey: exampleApiKey }] },
)

export const keepKey: Endpoint = (app, deps) => {
  app.post('/auth/api-keys/:id/keep', {
    config: {
      access: 'authenticated',
      scope: 'keys:write',
      errors: ['SIGN_IN_REQUIRED', 'NOT_FOUND', 'KEY_LIMIT_REACHED'],
    },
    schema: {
      operationId: 'keepKey',
      summary: 'Keep an API key that awaits its owner',
      description:
        'Requires a token from a magic-link or Google sign-in. Keeping a key that is not AWAITS_OWNER changes nothing.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      params: KeyParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      if (caller.apiKeyId !== null) throw new ApiError('SIGN_IN_REQUIRED')
      const nowMs = deps.clock.now()
      const keep = async (trx: Transaction) => {
        const key = await findKey(trx, caller.userId, request.params.id)
        if (key === undefined) throw new ApiError('NOT_FOUND')
        const unchanged = describeKey(key, nowMs)
        if (unchanged.status !== 'AWAITS_OWNER') return { apiKey: unchanged }
        await requireRoomForLiveKey(deps, trx, caller.userId)
        await updateKey(trx, key.id, { awaits_owner_at_ms: null })
        // Recorded so that disowning a thief's sign-in also undoes what it kept.
        await recordCallerAsMaker(trx, deps, caller, { keyId: key.id, how: 'kept' })
        const event = { userId: caller.userId, type: 'key_kept', apiKeyId: key.id } as const
        await recordEvent(trx, deps, event, request)
        return { apiKey: describeKey({ ...key, awaits_owner_at_ms: null }, nowMs) }
      }
      return withAuthority(deps, caller, keep).catch(noteKeyLimit(deps, request))
    },
  })
}
