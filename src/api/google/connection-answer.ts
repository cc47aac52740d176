/** The Google account that is connected to an account, as it is answered. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Identity } from '../../domain/google/identity-store.ts'

/** The answer of the `/auth/google/connection` endpoints. */
export const ConnectionAnswer = Type.Object(
  {
    connection: Type.Union([
      Type.Object({
        email: Type.String({ description: 'The address of the Google account when it was last seen.' }),
        connectedAt: Type.String({ format: 'date-time' }),
      }),
      Type.Null(),
    ]),
  },
  {
    description: 'The connected Google account; null: none.',
    examples: [{ connection: { email: 'ana@gmail.com', connectedAt: '2026-11-21T10:00:00.000Z' } }],
  },
)

/** The answer for a row. */
export function toConnectionAnswer(identity: Identity | undefined): Static<typeof ConnectionAnswer> {
  if (identity === undefined) return { connection: null }
  const { email, connected_at_ms: connectedAtMs } = identity
  return { connection: { email, connectedAt: new Date(connectedAtMs).toISOString() } }
}
