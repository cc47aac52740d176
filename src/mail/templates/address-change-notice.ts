/** Mails to an account's former or present address about a change of it, with the button that undoes a change. */
import type { AddressChange } from '../../domain/address-change/address-change-store.ts'
import { findReservation } from '../../domain/address-change/address-change-store.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { findEventsSince } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import type { EventType } from '../../domain/events/security-events.ts'
import type { Transaction } from '../../database/database.ts'
import { maskEmailAddress } from '../../lib/text/email-address.ts'
import { addButton } from '../mail-buttons.ts'
import type { ComposeDeps, Composer, MailToCompose } from '../queue/composer.ts'
import type { Mail } from '../smtp-transport.ts'
import { causeOf, formatTime, sayOrigin } from './mail-words.ts'
import { render } from './render-mail.ts'

const reportedTypes = ['email_change_asked', 'email_changed'] as const satisfies EventType[]

/** Reports everything since the mail was queued, so that many changes are one mail. */
export const composeAddressChangeNotice: Composer = async (deps, trx, mail) => {
  const nowMs = deps.clock.now()
  const sinceMs = mail.tells_since_ms ?? mail.created_at_ms
  const user = await findUserOfMailbox(trx, mail.email, nowMs)
  const events = user && (await findEventsSince(trx, user.id, reportedTypes, sinceMs))
  if (user === undefined || events === undefined || events.length === 0) return undefined
  const notMe = await addButton(deps, trx, mail, 'not_me', { tellsSinceMs: sinceMs })
  const change = user.email === mail.email ? undefined : await findReservation(trx, mail.email, nowMs)
  if (change === undefined) return render(mail.locale, wordsIfAsked(events), { main: deps.config.appUrl.href, notMe })
  const main = await addUndo(deps, trx, mail, change)
  return render(mail.locale, wordsIfChanged(events, change), { main, notMe })
}

/**
 * Answers a request for a link to a reserved address: it offers the undo. "This wasn't me" only pauses mail, because
 * anybody can ask for a link.
 */
export async function composeReservedMail(
  deps: ComposeDeps,
  trx: Transaction,
  mail: MailToCompose,
  change: AddressChange,
): Promise<Omit<Mail, 'to'>> {
  const links = {
    main: await addUndo(deps, trx, mail, change),
    notMe: await addButton(deps, trx, mail, 'not_me'),
    resume: mail.offersResume ? await addButton(deps, trx, mail, 'resume_mail') : undefined,
  }
  return render(mail.locale, wordsIfReserved(change), links, causeOf(mail))
}

const addUndo = (deps: ComposeDeps, trx: Transaction, mail: MailToCompose, change: AddressChange) =>
  addButton(deps, trx, mail, 'undo_email', { expiresAtMs: change.undo_until_ms ?? 0 })

function wordsIfAsked(events: readonly SecurityEvent[]) {
  return {
    en: {
      subject: 'Somebody asked to change your e-mail address',
      before: [
        ...events.map(sayInEnglish),
        'It only changes if the link in the e-mail to the new address is opened in the same browser.',
      ],
      button: 'Review your account',
      after: ['If you know about this, you do not have to do anything.'],
    },
    ro: {
      subject: 'Cineva a cerut schimbarea adresei tale de e-mail',
      before: [
        ...events.map(sayInRomanian),
        'Se schimbă numai dacă linkul din e-mailul către noua adresă este deschis în același browser.',
      ],
      button: 'Verifică-ți contul',
      after: ['Dacă știi despre asta, nu ai nimic de făcut.'],
    },
  }
}

function wordsIfChanged(events: readonly SecurityEvent[], change: AddressChange) {
  return {
    en: {
      subject: 'The e-mail address of your account was changed',
      before: [...events.map(sayInEnglish), ...aboutUndo.en(change)],
      button: 'Undo the change',
      after: ['If you know about this, you do not have to do anything. Sign in with the new address from now on.'],
    },
    ro: {
      subject: 'Adresa de e-mail a contului tău a fost schimbată',
      before: [...events.map(sayInRomanian), ...aboutUndo.ro(change)],
      button: 'Anulează schimbarea',
      after: ['Dacă știi despre asta, nu ai nimic de făcut. De acum autentifică-te cu noua adresă.'],
    },
  }
}

function wordsIfReserved(change: AddressChange) {
  const newEmail = maskEmailAddress(change.new_email)
  const changedAtMs = change.confirmed_at_ms ?? 0
  return {
    en: {
      subject: 'Your account has another e-mail address',
      before: [
        'Somebody, perhaps you, asked for a link to sign in with this e-mail address.',
        `On ${formatTime('en', changedAtMs)} the address of the account was changed to ${newEmail}. Sign in with that address.`,
        ...aboutUndo.en(change),
      ],
      button: 'Undo the change',
      after: ['If you did not ask for this e-mail, you can ignore it.'],
    },
    ro: {
      subject: 'Contul tău are altă adresă de e-mail',
      before: [
        'Cineva, poate tu, a cerut un link de autentificare cu această adresă de e-mail.',
        `Pe ${formatTime('ro', changedAtMs)} adresa contului a fost schimbată în ${newEmail}. Autentifică-te cu acea adresă.`,
        ...aboutUndo.ro(change),
      ],
      button: 'Anulează schimbarea',
      after: ['Dacă nu ai cerut acest e-mail, îl poți ignora.'],
    },
  }
}

const aboutUndo = {
  en: ({ undo_until_ms: untilMs }: AddressChange) => [
    `If it was not you who changed it, undo the change, until ${formatTime('en', untilMs ?? 0)}. This address becomes the account’s again, everybody is signed out, and API keys created since wait for your decision.`,
  ],
  ro: ({ undo_until_ms: untilMs }: AddressChange) => [
    `Dacă nu tu ai schimbat-o, anulează schimbarea, până pe ${formatTime('ro', untilMs ?? 0)}. Contul primește din nou această adresă, toți sunt deconectați, iar cheile API create de atunci așteaptă decizia ta.`,
  ],
} as const

function sayInEnglish(event: SecurityEvent): string {
  const [when, from] = [formatTime('en', event.at_ms), sayOrigin('en', event)]
  const newEmail = maskEmailAddress(event.detail ?? '')
  return event.type === 'email_changed'
    ? `On ${when} the e-mail address of your account was changed to ${newEmail}, ${from}. Google accounts were disconnected.`
    : `On ${when} somebody signed in as you asked to change the e-mail address of your account to ${newEmail}, ${from}.`
}

function sayInRomanian(event: SecurityEvent): string {
  const [when, from] = [formatTime('ro', event.at_ms), sayOrigin('ro', event)]
  const newEmail = maskEmailAddress(event.detail ?? '')
  return event.type === 'email_changed'
    ? `Pe ${when} adresa de e-mail a contului tău a fost schimbată în ${newEmail}, ${from}. Conturile Google au fost deconectate.`
    : `Pe ${when} cineva autentificat ca tine a cerut schimbarea adresei de e-mail a contului tău în ${newEmail}, ${from}.`
}
