import { callSignedIn } from './api.ts'
import { currentToken } from './session.ts'
import { useLoaded } from './parts/use-loaded.ts'
import type { Loaded } from './parts/use-loaded.ts'
import type { Answer } from './operations.ts'

export type User = Answer<'GET /users/me'>['user']

export const readUser = async (signal?: AbortSignal): Promise<User> =>
  (await callSignedIn('GET /users/me', { signal })).user

/** The signed-in user; null if nobody is signed in. One request for all components of a page. */
export const useUser = (): Loaded<User | null> =>
  useLoaded('user', async (signal) => (currentToken() === undefined ? null : readUser(signal)))
