import { callSignedIn } from './api.ts'
import type { Answer } from './operations.ts'

export type User = Answer<'getMe'>['user']

export const readUser = async (signal?: AbortSignal): Promise<User> =>
  (await callSignedIn<Answer<'getMe'>>('GET', '/users/me', { signal })).user
