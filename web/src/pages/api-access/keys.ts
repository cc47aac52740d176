/** API keys, as the public API gives them. */
import { callSignedIn } from '../../api.ts'
import type { Answer, Input } from '../../operations.ts'

/** An API key. */
export type ApiKey = Answer<'listKeys'>['apiKeys'][number]

/** A key's id and secret, as they are shown once. */
export type Credentials = Readonly<{ name: string; keyId: string; keySecret: string }>

type WithSecret = Answer<'createKey'> | Answer<'rotateKey'>

const SOON_MS = 7 * 86_400_000

/** Whether the key stops working within seven days. */
export const expiresSoon = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS

// It works, or can work again.
const isLive = ({ status }: ApiKey): boolean => status === 'ACTIVE' || status === 'AWAITS_OWNER'

/** The person's keys, newest first. */
export const listKeys = async (): Promise<readonly ApiKey[]> =>
  (await callSignedIn<Answer<'listKeys'>>('GET', '/auth/api-keys')).apiKeys

/** The keys that this one made, and that still can be used. */
export async function listLiveDescendants({ id }: ApiKey): Promise<readonly ApiKey[]> {
  return (await callSignedIn<Answer<'listDescendants'>>('GET', `/auth/api-keys/${id}/descendants`)).apiKeys.filter(
    isLive,
  )
}

/** Makes a key. @param choice an absent name is the service's choice; without days it never expires */
export async function createKey(choice: Input<'createKey'>): Promise<Credentials> {
  return toCredentials(await callSignedIn<Answer<'createKey'>>('POST', '/auth/api-keys', choice))
}

/** Gives the key a new secret. @param graceSeconds how long the old one still works */
export async function rotateKey({ id }: ApiKey, graceSeconds: number): Promise<Credentials> {
  return toCredentials(await callSignedIn<Answer<'rotateKey'>>('POST', `/auth/api-keys/${id}/rotate`, { graceSeconds }))
}

/** Ends the key. */
export async function revokeKey({ id }: ApiKey, isWithDescendants: boolean): Promise<void> {
  await callSignedIn('POST', `/auth/api-keys/${id}/revoke${isWithDescendants ? '?withDescendants=true' : ''}`)
}

/** Lets a key work that waits for its owner. */
export async function keepKey({ id }: ApiKey): Promise<void> {
  await callSignedIn('POST', `/auth/api-keys/${id}/keep`)
}

const toCredentials = ({ apiKey, keySecret }: WithSecret): Credentials => ({
  name: apiKey.name,
  keyId: apiKey.keyId,
  keySecret,
})
