import { callSignedIn } from './api.ts'
import type { Answer } from './operations.ts'

export type User = Answer<'getMe'>['user']

export const readUser = async (): Promise<User> => (await callSignedIn<Answer<'getMe'>>('GET', '/users/me')).user
