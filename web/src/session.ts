/** Who is signed in: the access token, kept until it is refused or the person signs out. */
import { kept } from './kept.ts'

const TOKEN = 'token'

/** The access token in use; undefined: nobody is signed in. Whether it is still good only the service can tell. */
export function currentToken(): string | undefined {
  return kept.read(TOKEN) ?? undefined
}

/** Keeps the access token of a sign-in. */
export function keepToken(token: string): void {
  kept.write(TOKEN, token)
}

/** Forgets the access token, in every tab. */
export function forgetToken(): void {
  kept.delete(TOKEN)
}

/** Calls back when in another tab somebody signs out, or somebody else in; the same person's new token changes nothing. */
export function onSessionChange(callBack: () => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === null || (key === TOKEN && subjectOf(oldValue) !== subjectOf(newValue))) callBack()
  })
}

// Whose token it is, as it says itself.
function subjectOf(token: string | null): string | undefined {
  try {
    const [, payload = ''] = token?.split('.') ?? []
    return (JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: string }).sub
  } catch {
    return undefined
  }
}
