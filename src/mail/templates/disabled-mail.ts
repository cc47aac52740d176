/** Answers a request for a link to a disabled account: no link, no button, one a day at most. */
import { findEventsSince } from '../../domain/events/event-store.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Mail } from '../smtp-transport.ts'
import type { ComposeDeps } from '../queue/send-queue.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { render } from './render-mail.ts'

const words = {
  en: {
    subject: 'Your account is disabled',
    before: [
      'Somebody, perhaps you, asked for a link to sign in with this e-mail address.',
      'The operator of this service has disabled the account: nobody can sign in to it, and its API keys do not work. If you think this is a mistake, contact the operator.',
    ],
    button: '',
    after: ['You get this mail once a day at most.'],
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
  return render(mail.locale, words, null)
}
