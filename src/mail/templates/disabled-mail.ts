/** Answers a request for a link to a disabled account: no link, no button, one a day at most. */
import { findDeletionAsked } from '../../domain/address-change/address-change-store.ts'
import { findEventsSince } from '../../domain/events/event-store.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Mail } from '../smtp-transport.ts'
import type { ComposeDeps } from '../queue/composer.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { causeOf, formatTime } from './mail-words.ts'
import { render } from './render-mail.ts'

const words = {
  en: {
    subject: 'Your account is disabled',
    before: [
      'Somebody, perhaps you, asked for a link to sign in with this e-mail address.',
      'The operator of this service has disabled the account: nobody can sign in to it, and its API keys do not work. If you think this is a mistake, contact the operator.',
    ],
    button: '',
    after: ['You get this e-mail once a day at most.'],
  },
  ro: {
    subject: 'Contul tău este dezactivat',
    before: [
      'Cineva, poate tu, a cerut un link de autentificare cu această adresă de e-mail.',
      'Administratorul acestui serviciu a dezactivat contul: nimeni nu se poate autentifica, iar cheile lui API nu funcționează. Dacă ți se pare o greșeală, scrie-i.',
    ],
    button: '',
    after: ['Îți spunem asta cel mult o dată pe zi.'],
  },
}

const wordsIfDeleted = (untilMs: number) => ({
  en: {
    subject: 'Your account is deleted',
    before: [
      'Somebody, perhaps you, asked for a link to sign in with this e-mail address.',
      `The account was deleted by somebody who was signed in to it. Its address had been changed shortly before, so it is erased on ${formatTime('en', untilMs)}. Until then nobody can sign in or create an account with this address.`,
    ],
    button: '',
    after: ['You get this e-mail once a day at most.'],
  },
  ro: {
    subject: 'Contul tău este șters',
    before: [
      'Cineva, poate tu, a cerut un link de autentificare cu această adresă de e-mail.',
      `Contul a fost șters de cineva care era autentificat în el. Adresa lui fusese schimbată cu puțin timp înainte, așa că datele se șterg definitiv pe ${formatTime('ro', untilMs)}. Până atunci nimeni nu se poate autentifica și nu poate crea un cont cu această adresă.`,
    ],
    button: '',
    after: ['Îți spunem asta cel mult o dată pe zi.'],
  },
})

/**
 * Composes the mail, and records it. Strangers can request links too, and a mail to a disabled account has no button to
 * stop them.
 * @returns `undefined` when one was sent in the last day
 */
export async function composeDisabledMail(
  deps: ComposeDeps,
  trx: Transaction,
  mail: QueuedMail,
  user: User,
): Promise<Omit<Mail, 'to'> | undefined> {
  const refused = await findEventsSince(trx, user.id, ['sign_in_refused'], deps.clock.now() - DAY_MS)
  const isRecorded = refused.some(({ detail }) => detail === 'disabled')
  // On a retry, the recorded event is this mail's own.
  if (isRecorded && mail.attempts <= 1) return undefined
  if (!isRecorded) await recordEvent(trx, deps, { userId: user.id, type: 'sign_in_refused', detail: 'disabled' })
  const deletion = await findDeletionAsked(trx, user.id)
  const isDeleted = deletion !== undefined && deletion.deletion_asked_at_ms === user.disabled_at_ms
  const said = isDeleted ? wordsIfDeleted(deletion.undo_until_ms ?? 0) : words
  return render(mail.locale, said, null, causeOf(mail))
}
