import { callSignedIn } from '../../api.ts'
import type { Answer, Input } from '../../operations.ts'

export type ApiKey = Answer<'listKeys'>['apiKeys'][number]

/** Shown once. */
export type Credentials = Readonly<{ name: string; keyId: string; keySecret: string }>

type WithSecret = Answer<'createKey'> | Answer<'rotateKey'>

const SOON_MS = 7 * 86_400_000

/** Whether the key expires within seven days. */
export const expiresSoon = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS

const isLive = ({ status }: ApiKey): boolean => status === 'ACTIVE' || status === 'AWAITS_OWNER'

/** Newest first. */
export const listKeys = async (signal?: AbortSignal): Promise<readonly ApiKey[]> =>
  (await callSignedIn<Answer<'listKeys'>>('GET', '/auth/api-keys', { signal })).apiKeys

/** Keys created by this key, directly or indirectly, that are active or await their owner. */
export async function listLiveDescendants({ id }: ApiKey, signal: AbortSignal): Promise<readonly ApiKey[]> {
  const path = `/auth/api-keys/${id}/descendants`
  return (await callSignedIn<Answer<'listDescendants'>>('GET', path, { signal })).apiKeys.filter(isLive)
}

/** @param choice the service picks a missing name; without `expiresInDays` the key never expires */
export async function createKey(choice: Input<'createKey'>): Promise<Credentials> {
  return toCredentials(await callSignedIn<Answer<'createKey'>>('POST', '/auth/api-keys', { body: choice }))
}

/** @param graceSeconds how long the old secret still works */
export async function rotateKey({ id }: ApiKey, graceSeconds: number): Promise<Credentials> {
  const path = `/auth/api-keys/${id}/rotate`
  return toCredentials(await callSignedIn<Answer<'rotateKey'>>('POST', path, { body: { graceSeconds } }))
}

export async function revokeKey({ id }: ApiKey, isWithDescendants: boolean): Promise<void> {
  await callSignedIn('POST', `/auth/api-keys/${id}/revoke${isWithDescendants ? '?withDescendants=true' : ''}`)
}

/** Reactivates a key that awaits its owner. */
export async function keepKey({ id }: ApiKey): Promise<void> {
  await callSignedIn('POST', `/auth/api-keys/${id}/keep`)
}

const toCredentials = ({ apiKey, keySecret }: WithSecret): Credentials => ({
  name: apiKey.name,
  keyId: apiKey.keyId,
  keySecret,
})
