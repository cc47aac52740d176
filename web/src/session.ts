/** Who is signed in: the access token, kept until it expires, is refused, or the person signs out. */
import { kept } from './kept.ts'

const TOKEN = 'token'

/** The access token in use; undefined: nobody is signed in. */
export function currentToken(): string | undefined {
  const token = kept.read(TOKEN)
  if (token === null) return undefined
  if (expiresAtMs(token) > Date.now()) return token
  forgetToken()
  return undefined
}

/** Keeps the access token of a sign-in. */
export function keepToken(token: string): void {
  kept.write(TOKEN, token)
}

/** Forgets the access token, in every tab. */
export function forgetToken(): void {
  kept.delete(TOKEN)
}

/** Calls back when somebody signs in or out in another tab. */
export function onSessionChange(callBack: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === TOKEN || key === null) callBack()
  })
}

// Only the service can tell whether a token is good; this says when it is certainly not.
function expiresAtMs(token: string): number {
  try {
    const [, payload = ''] = token.split('.')
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp: number }
    return exp * 1000
  } catch {
    return 0
  }
}
