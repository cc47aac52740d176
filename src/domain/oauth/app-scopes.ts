import type { Scope } from '../keys/restrictions/scopes.ts'

/** What an app can be given. Everything else could outlive or escape the grant, and is the owner's alone. */
export const appScopes = [
  'account:read',
  'events:read',
  'payment_links:read',
  'payment_links:write',
] as const satisfies Scope[]

export type AppScope = (typeof appScopes)[number]

/** Of a request that names none. */
export const defaultAppScopes: readonly AppScope[] = ['account:read', 'payment_links:read']
