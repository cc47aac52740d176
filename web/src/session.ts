/** The stored access token. */
import { storage } from './storage.ts'

const TOKEN = 'token'

/** Returns undefined if nobody is signed in. The token may have expired or been revoked. */
export function currentToken(): string | undefined {
  return storage.read(TOKEN) ?? undefined
}

export function keepToken(token: string): void {
  storage.write(TOKEN, token)
}

/** Signs out in every tab. */
export function forgetToken(): void {
  storage.delete(TOKEN)
}

/** Calls back when another tab signs out or signs in as another user. A new token of the same user does not count. */
export function onSessionChange(callBack: () => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === null || (key === TOKEN && subjectOf(oldValue) !== subjectOf(newValue))) callBack()
  })
}

// Decoded without verification: only compared with another token.
function subjectOf(token: string | null): string | undefined {
  try {
    const [, payload = ''] = token?.split('.') ?? []
    return (JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: string }).sub
  } catch {
    return undefined
  }
}
