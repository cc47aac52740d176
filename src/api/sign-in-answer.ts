import { Type } from 'typebox'
import { textOrNull, time } from './answer-fields.ts'

/** What people recognise a sign-in by. */
export const signInFields = {
  method: Type.Enum(['magic_link', 'google']),
  createdAt: time(),
  browser: textOrNull('The browser, from a closed list: `Chrome`. Null: a program, or an unknown browser.'),
  system: textOrNull('The operating system, from a closed list: `Windows`. Null: unknown.'),
  network: textOrNull('The IPv4 /24 or IPv6 /48 that the sign-in came from. Null: unknown.'),
}
