/** What the endpoints that accept an ID token of Google share: request, response, errors, failure limit. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Deps } from '../../http/deps.ts'
import { clientNetwork } from '../../lib/network.ts'

const ignored = (description: string) => Type.Optional(Type.String({ description: `${description} Ignored.` }))

/** Also Google's own object as its script hands it to the page, whose other fields need not be removed. */
export const CredentialBody = Type.Object(
  {
    credential: Type.String({ description: 'The JWT issued by Google’s One Tap.' }),
    select_by: ignored('How the user selected the credential.'),
    clientId: ignored('The client id; the one in the credential is checked.'),
    client_id: ignored('The client id; the one in the credential is checked.'),
    state: ignored('The state of Google’s button.'),
    g_csrf_token: ignored('Google’s token for its redirect mode.'),
  },
  { additionalProperties: false, examples: [{ credential: 'eyJhbGciOiJSUzI1NiIs…' }] },
)

export const SignInAnswer = Type.Object(
  {
    token: Type.String({ description: 'The access token, valid for 7 days.' }),
    needsOnboarding: Type.Boolean({
      description: 'True if there is no display name, the address is not proven, or API keys await the owner.',
    }),
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }, { title: 'SignedInUser' }),
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

export const credentialErrors = [
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
  'RATE_LIMITED',
  'GOOGLE_UNAVAILABLE',
  'GOOGLE_NOT_CONFIGURED',
] as const satisfies readonly ErrorCode[]

/** Errors caused by the caller's input. */
const countedErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'OAUTH_STATE_INVALID',
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
])

/**
 * Counts errors caused by the caller's input as failed sign-ins of the client.
 * @throws the error of `work`, or `RATE_LIMITED` after too many failures
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
    if (error instanceof ApiError && countedErrors.has(error.code)) {
      await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
    }
    throw error
  }
}
