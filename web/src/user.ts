/** The signed-in person, as the public API gives them. */
import { callSignedIn } from './api.ts'
import type { Answer } from './operations.ts'

/** The signed-in person. */
export type User = Answer<'getMe'>['user']

/** Reads who is signed in. */
export const readUser = async (): Promise<User> => (await callSignedIn<Answer<'getMe'>>('GET', '/users/me')).user
