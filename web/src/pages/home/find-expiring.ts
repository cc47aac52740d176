/** Imports nothing of the browser, so that a test can load it. */
import type { Answer } from '../../operations.ts'

const DAY_MS = 86_400_000
const SOON_MS = 14 * DAY_MS
const LATELY_MS = 7 * DAY_MS

export type Expiry = Readonly<{
  kind: 'key' | 'link'
  id: string
  name: string
  at: string
  isPast: boolean
}>

type Key = Pick<Answer<'GET /auth/api-keys'>['apiKeys'][number], 'id' | 'name' | 'status' | 'expiresAt'>
type Link = Pick<Answer<'GET /payment-links'>['paymentLinks'][number], 'id' | 'title' | 'status' | 'expiresAt'>

/** Keys and payment links that expire within 14 days, and keys that expired in the last 7. Soonest first. */
export function findExpiring(keys: readonly Key[], links: readonly Link[], nowMs: number): readonly Expiry[] {
  const isWithin = (at: string, fromMs: number, toMs: number): boolean => {
    const inMs = Date.parse(at) - nowMs
    return inMs > fromMs && inMs <= toMs
  }
  const found: Expiry[] = []
  for (const { id, name, status, expiresAt } of keys) {
    if (expiresAt === null || status === 'REVOKED') continue
    // The status is of the moment of the answer.
    const isPast = status === 'EXPIRED' || Date.parse(expiresAt) <= nowMs
    if (isWithin(expiresAt, isPast ? -LATELY_MS : 0, SOON_MS))
      found.push({ kind: 'key', id, name, at: expiresAt, isPast })
  }
  for (const { id, title, status, expiresAt } of links) {
    if (expiresAt === null || status !== 'ACTIVE' || !isWithin(expiresAt, 0, SOON_MS)) continue
    found.push({ kind: 'link', id, name: title, at: expiresAt, isPast: false })
  }
  return found.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
