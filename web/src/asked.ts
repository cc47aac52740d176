/** For whom this browser asked for a link: the link of somebody else signs in to somebody else's account. */
import { kept } from './kept.ts'

const ASKED = 'asked-for'

/** Remembers it, as the service shows an address to whoever holds a link: `a***@example.com`. */
export function noteAsked(email: string): void {
  kept.write(ASKED, `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`.toLowerCase())
}

/** Whether a link was asked for here. @param email for this address, masked; absent: for any */
export function wasAsked(email?: string): boolean {
  const asked = kept.read(ASKED)
  return asked !== null && (email === undefined || asked === email.toLowerCase())
}

/** Forgets it: the link was used. */
export function forgetAsked(): void {
  kept.delete(ASKED)
}
