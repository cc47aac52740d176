/** An API key as it is answered: never its secret, never a hash. */
import { Type } from 'typebox'
import type { KeyDescription } from '../domain/keys/describe-key.ts'
import { keyStatuses } from '../domain/keys/key-status.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** An API key in lists and after a change of it. */
export const ApiKeyAnswer = Type.Object({
  id: Type.String({ description: 'The record id; used in paths.' }),
  name: Type.String(),
  keyId: Type.String({ description: 'The public credential id, `plk_…`.' }),
  status: Type.Enum([...keyStatuses], {
    description: 'AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.',
  }),
  createdAt: time('When the key was made.'),
  lastUsedAt: timeOrNull('When the key was last exchanged, to the minute.'),
  expiresAt: timeOrNull('When the key stops working.'),
  revokedAt: timeOrNull('When the key was revoked.'),
})

/** A key for the documentation's examples. */
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
