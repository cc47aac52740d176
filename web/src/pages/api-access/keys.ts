import { callSignedIn } from '../../api.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Loaded } from '../../parts/use-loaded.ts'
import type { Answer, Input } from '../../operations.ts'

export type ApiKey = Answer<'GET /auth/api-keys'>['apiKeys'][number]

/** Shown once. */
export type Credentials = Readonly<{ name: string; keyId: string; keySecret: string }>

type WithSecret = Answer<'POST /auth/api-keys' | 'POST /auth/api-keys/{id}/rotate'>

const SOON_MS = 7 * 86_400_000

/** Whether the key expires within seven days. */
export const expiresSoon = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS

export const isLive = ({ status }: ApiKey): boolean => status === 'ACTIVE' || status === 'AWAITS_OWNER'

/** Newest first. */
export const listKeys = async (signal?: AbortSignal): Promise<readonly ApiKey[]> =>
  (await callSignedIn('GET /auth/api-keys', { signal })).apiKeys

export const useKeys = (): Loaded<readonly ApiKey[]> => useLoaded('keys', listKeys)

/** Keys created by this key, directly or indirectly, that are active or await their owner. */
export const listLiveDescendants = async ({ id }: ApiKey, signal: AbortSignal): Promise<readonly ApiKey[]> =>
  (await listDescendants(id, signal)).filter(isLive)

/** Keys created by this key, directly or indirectly, newest first. */
export const listDescendants = async (id: string, signal: AbortSignal): Promise<readonly ApiKey[]> =>
  (await callSignedIn('GET /auth/api-keys/{id}/descendants', { path: { id }, signal })).apiKeys

/** `days`: by day in UTC, today last. */
export type KeyUses = Answer<'GET /auth/api-keys/{id}/uses'>

/** The last 30 days. */
export async function listUses(id: string, signal: AbortSignal): Promise<KeyUses> {
  const { days, lastUsedNetwork } = await callSignedIn('GET /auth/api-keys/{id}/uses', { path: { id }, signal })
  // The service's clock counts: this device's may be behind.
  const lastMs = Math.max(Date.now(), Date.parse(days.at(-1)?.day ?? '') || 0)
  const last30Days = Array.from({ length: 30 }, (_, index) => {
    const day = new Date(lastMs - (29 - index) * 86_400_000).toISOString().slice(0, 10)
    return days.find((use) => use.day === day) ?? { day, exchanges: 0, refusals: 0 }
  })
  return { lastUsedNetwork, days: last30Days }
}

/** @param choice the service picks a missing name; without `expiresInDays` the key never expires */
export async function createKey(choice: Input<'POST /auth/api-keys'>): Promise<Credentials> {
  return toCredentials(await callSignedIn('POST /auth/api-keys', { body: choice }))
}

/** @param change `restrictions` replaces all of the key's; null removes them */
export async function changeKey({ id }: ApiKey, change: Input<'PATCH /auth/api-keys/{id}'>): Promise<ApiKey> {
  return (await callSignedIn('PATCH /auth/api-keys/{id}', { path: { id }, body: change })).apiKey
}

/** @param graceSeconds how long the old secret still works */
export async function rotateKey({ id }: ApiKey, graceSeconds: number): Promise<Credentials> {
  return toCredentials(await callSignedIn('POST /auth/api-keys/{id}/rotate', { path: { id }, body: { graceSeconds } }))
}

export async function revokeKey({ id }: ApiKey, isWithDescendants: boolean): Promise<void> {
  const query = isWithDescendants ? { withDescendants: true } : {}
  await callSignedIn('POST /auth/api-keys/{id}/revoke', { path: { id }, query })
}

/** Reactivates a key that awaits its owner. */
export async function keepKey({ id }: ApiKey): Promise<void> {
  await callSignedIn('POST /auth/api-keys/{id}/keep', { path: { id } })
}

const toCredentials = ({ apiKey, keySecret }: WithSecret): Credentials => ({
  name: apiKey.name,
  keyId: apiKey.keyId,
  keySecret,
})
