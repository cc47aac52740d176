import { Type } from 'typebox'
import type { Static } from 'typebox'
import { displayEmailAddress } from '../../lib/text/email-address.ts'
import type { Identity } from '../../domain/google/identity-store.ts'

/** The response of all `/auth/google/connection` endpoints. */
export const ConnectionAnswer = Type.Object(
  {
    connection: Type.Union([
      Type.Object(
        {
          email: Type.String({ description: 'The address of the Google account at its last sign-in.' }),
          connectedAt: Type.String({ format: 'date-time' }),
        },
        { title: 'GoogleConnection' },
      ),
      Type.Null(),
    ]),
  },
  {
    description: 'The connected Google account, or null.',
    examples: [{ connection: { email: 'ana@gmail.com', connectedAt: '2026-11-21T10:00:00.000Z' } }],
  },
)

export function toConnectionAnswer(identity: Identity | undefined): Static<typeof ConnectionAnswer> {
  if (identity === undefined) return { connection: null }
  const { email, connected_at_ms: connectedAtMs } = identity
  return { connection: { email: displayEmailAddress(email), connectedAt: new Date(connectedAtMs).toISOString() } }
}
