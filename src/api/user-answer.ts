import { Type } from 'typebox'
import type { Static } from 'typebox'
import { displayEmailAddress } from '../lib/text/email-address.ts'
import type { User } from '../domain/users/user-store.ts'

export const exampleUser = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
  email: 'ana@example.com',
  role: 'USER',
  name: 'Ana',
  needsOnboarding: false,
  createdAt: '2026-11-21T10:00:00.000Z',
}

/** The response of `GET` and `PATCH /users/me`. */
export const UserAnswer = Type.Object(
  {
    user: Type.Object(
      {
        id: Type.String(),
        email: Type.String(),
        role: Type.String(),
        name: Type.Union([Type.String(), Type.Null()]),
        needsOnboarding: Type.Boolean({
          description: 'True if there is no display name, the address is not proven, or API keys await the owner.',
        }),
        createdAt: Type.String({ format: 'date-time' }),
      },
      { title: 'User' },
    ),
  },
  {
    description: 'The current state of the account.',
    examples: [{ user: exampleUser }],
  },
)

export function toUserAnswer(
  user: Pick<User, 'id' | 'email' | 'role' | 'name' | 'created_at_ms'>,
  needsOnboarding: boolean,
): Static<typeof UserAnswer> {
  return {
    user: {
      id: user.id,
      email: displayEmailAddress(user.email),
      role: user.role,
      name: user.name,
      needsOnboarding,
      createdAt: new Date(user.created_at_ms).toISOString(),
    },
  }
}
