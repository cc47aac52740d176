/** The signed-in person, as the public API gives them. */
import { callSignedIn } from './api.ts'

/** The signed-in person (`GET /users/me`). */
export type User = Readonly<{
  id: string
  email: string
  role: string
  name: string | null
  needsOnboarding: boolean
  createdAt: string
}>

/** Reads who is signed in. */
export const readUser = async (): Promise<User> => (await callSignedIn<{ user: User }>('GET', '/users/me')).user
