import { Type } from 'typebox'
import type { Static } from 'typebox'
import { describeSignIn } from '../../domain/sign-in/describe-sign-in.ts'
import type { SignIn } from '../../domain/sign-in/sign-in-store.ts'
import type { Caller } from '../../domain/sign-in/authority.ts'
import { signInFields } from '../sign-in-answer.ts'

export const SessionAnswer = Type.Object(
  {
    id: Type.String({ description: 'Its tokens carry it as `sid`.' }),
    ...signInFields,
    lastSeenAt: Type.String({
      format: 'date-time',
      description: 'The last call with a token of the sign-in, at most five minutes late.',
    }),
    current: Type.Boolean({ description: 'True for the sign-in of the token of this call.' }),
  },
  { title: 'Session' },
)

export const exampleSession: Static<typeof SessionAnswer> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
  method: 'magic_link',
  createdAt: '2026-11-21T10:00:00.000Z',
  lastSeenAt: '2026-11-21T10:25:00.000Z',
  browser: 'Chrome',
  system: 'Windows',
  network: '203.0.113.0/24',
  current: true,
}

export const toSessionAnswer = (signIn: SignIn, caller: Caller): Static<typeof SessionAnswer> => ({
  ...describeSignIn(signIn),
  current: signIn.id === caller.signInId,
})
