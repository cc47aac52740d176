/** An API key in responses: never its secret or a hash. */
import { Type } from 'typebox'
import type { KeyDescription } from '../domain/keys/describe-key.ts'
import { EffectiveRestrictions } from './restrictions-schema.ts'
import { keyStatuses } from '../domain/keys/key-status.ts'
import { time, timeOrNull } from './answer-fields.ts'

const ownRestrictions = {
  ...EffectiveRestrictions,
  description: 'The key’s own restrictions. An absent field restricts nothing.',
}

export const ApiKeyAnswer = Type.Object(
  {
    id: Type.String({ description: 'The record id, used in paths.' }),
    name: Type.String(),
    keyId: Type.String({ description: 'The public id of the credential, `plk_…`.' }),
    status: Type.Enum([...keyStatuses], {
      title: 'ApiKeyStatus',
      description:
        'AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.',
    }),
    createdAt: time('When the key was created.'),
    lastUsedAt: timeOrNull('The last call made with the key or one of its tokens, at most a minute late.'),
    expiresAt: timeOrNull('When the key stops working.'),
    revokedAt: timeOrNull('When the key was revoked.'),
    restrictions: Type.Optional(ownRestrictions),
    effectiveRestrictions: Type.Optional(EffectiveRestrictions),
  },
  { title: 'ApiKey' },
)

export const exampleApiKey: KeyDescription = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
  name: 'Billing server',
  keyId: 'plk_4fR7sQ0bXy2LkTz9WcNd1e',
  status: 'ACTIVE',
  createdAt: '2026-11-21T10:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
}
