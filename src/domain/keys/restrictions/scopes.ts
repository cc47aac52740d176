/** What a token of a restricted key may do. */
export const scopes = {
  'account:read': 'Read the account, its connection to Google and its export.',
  'account:write': 'Change the name of the account and what belongs to its owner.',
  'keys:read': 'List API keys.',
  'keys:write': 'Create, rename, narrow, rotate and revoke API keys.',
  'events:read': 'Read the security events.',
  'payment_links:read': 'Read payment links.',
  'payment_links:write': 'Create and deactivate payment links.',
  'tokens:introspect': 'Ask for the state of tokens of every account. Only the operator of the service gives it.',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[]

/** Those of an unrestricted key, and all that a call of the API can give. */
export const grantableScopes: readonly Scope[] = scopeNames.filter((scope) => scope !== 'tokens:introspect')
