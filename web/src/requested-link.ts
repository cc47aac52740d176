/** Remembers the address that this browser requested a link for: an attacker's link would sign in to the attacker's account. */
import { asciiAddress } from './ascii-address.ts'
import { storage } from './storage.ts'

const ASKED = 'asked-for'

/** Stores the address masked as in the answer of `/auth/links/inspect`: `a***@example.com`. */
export function rememberRequest(email: string): void {
  storage.write(ASKED, asciiAddress(`${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`))
}

/** @param email a masked address; if absent, any address matches */
export function wasRequested(email?: string): boolean {
  const asked = storage.read(ASKED)
  return asked !== null && (email === undefined || asked === asciiAddress(email))
}

export function forgetRequest(): void {
  storage.delete(ASKED)
}
