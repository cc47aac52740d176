import { callSignedIn, CallError } from './api.ts'
import { useLoaded } from './parts/use-loaded.ts'
import type { Loaded } from './parts/use-loaded.ts'
import type { Answer } from './operations.ts'

export type SignIn = Answer<'GET /auth/sessions'>['sessions'][number]

/** This browser's first, then the last seen first. Null: the token is not from a person's sign-in, which may not see them. */
export const useSignIns = (): Loaded<readonly SignIn[] | null> => useLoaded('sign-ins', listSignIns)

async function listSignIns(signal: AbortSignal): Promise<readonly SignIn[] | null> {
  try {
    const { sessions } = await callSignedIn('GET /auth/sessions', { signal })
    return sessions.toSorted((one, other) => Number(other.current) - Number(one.current))
  } catch (error) {
    if (error instanceof CallError && error.code === 'SIGN_IN_REQUIRED') return null
    throw error
  }
}
