import { Type } from 'typebox'

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** What people recognise a sign-in by. */
export const signInFields = {
  method: Type.Enum(['magic_link', 'google']),
  createdAt: Type.String({ format: 'date-time' }),
  browser: textOrNull('The browser, from a closed list: `Chrome`. Null: a program, or an unknown browser.'),
  system: textOrNull('The operating system, from a closed list: `Windows`. Null: unknown.'),
  network: textOrNull('The IPv4 /24 or IPv6 /48 that the sign-in came from. Null: unknown.'),
}
