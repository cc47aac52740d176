/** The request, answer and failure count of every endpoint that takes Google's word. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Deps } from '../../http/deps.ts'
import { clientNetwork } from '../../lib/network.ts'

/** The request of every endpoint that takes a credential. */
export const CredentialBody = Type.Object(
  { credential: Type.String({ description: 'The JWT issued by Google’s One Tap.' }) },
  { additionalProperties: false, examples: [{ credential: 'eyJhbGciOiJSUzI1NiIs…' }] },
)

/** The answer to a sign-in with Google. */
export const SignInAnswer = Type.Object(
  {
    token: Type.String({ description: 'The access token, valid for 7 days.' }),
    needsOnboarding: Type.Boolean({
      description: 'No display name yet, or the address not proven, or API keys that wait for the owner.',
    }),
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }),
  },
  {
    description: 'Signed in.',
    examples: [
      {
        token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl',
        needsOnboarding: true,
        user: { id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10', email: 'ana@gmail.com', role: 'USER' },
      },
    ],
  },
)

/** What every endpoint that takes Google's word can answer. */
export const credentialErrors = [
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
  'RATE_LIMITED',
  'GOOGLE_UNAVAILABLE',
  'GOOGLE_NOT_CONFIGURED',
] as const satisfies readonly ErrorCode[]

/** What goes wrong by what the caller brought. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'OAUTH_STATE_INVALID',
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
])

/**
 * Runs a sign-in. What fails by what the caller brought counts as a failed sign-in of the caller's client.
 * @throws what `work` throws; after too many failures `RATE_LIMITED` in its place
 */
export async function countFailures<T>(
  { rateLimits }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && failures.has(error.code)) {
      await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
    }
    throw error
  }
}
