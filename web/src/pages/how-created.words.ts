import type { SecurityEvent } from '../events.ts'
import { inLanguage } from '../language.ts'

const words = inLanguage({
  en: {
    bySignup: 'when this account was created',
    byKey: (name: string) => `by a program with the key “${name}”`,
    byPerson: 'by somebody who was signed in',
    unknown: 'no longer on record',
  },
  ro: {
    bySignup: 'la crearea contului',
    byKey: (name: string) => `de un program, cu cheia „${name}”`,
    byPerson: 'de cineva autentificat în cont',
    unknown: 'nu mai este înregistrat',
  },
})

/** @param makerName of the key whose token created it, while it is listed */
export function howCreated(creation: SecurityEvent | undefined, makerName: string | undefined): string {
  if (creation === undefined) return words.unknown
  if (creation.type === 'account_created') return words.bySignup
  return creation.byApiKeyId === null ? words.byPerson : words.byKey(makerName ?? words.unknown)
}
