import { findEventsSince } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import type { EventType } from '../../domain/events/security-events.ts'
import { findUserByEmail } from '../../domain/users/user-store.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/send-queue.ts'
import { render, formatTime } from './render-mail.ts'

const reportedTypes = ['google_connected', 'google_disconnected'] as const satisfies EventType[]

/** Reports everything since the mail was queued, so that many changes are one mail. */
export const composeConnectionNotice: Composer = async (deps, trx, mail) => {
  const sinceMs = mail.tells_since_ms ?? mail.created_at_ms
  const user = await findUserByEmail(trx, mail.email)
  const events = user && (await findEventsSince(trx, user.id, reportedTypes, sinceMs))
  if (events === undefined || events.length === 0) return undefined

  const words = {
    en: {
      subject: 'Sign-in with Google',
      before: events.map(sayInEnglish),
      button: 'Look at your account',
      after: ['If you know about this, there is nothing to do.'],
    },
    ro: {
      subject: 'Autentificarea cu Google',
      before: events.map(sayInRomanian),
      button: 'Vezi contul tău',
      after: ['Dacă știi despre asta, nu ai nimic de făcut.'],
    },
  }
  return render(mail.locale, words, {
    main: deps.config.appUrl.href,
    notMe: await addButton(deps, trx, mail, 'not_me', { tellsSinceMs: sinceMs }),
  })
}

function sayInEnglish({ type, at_ms: atMs, client, detail }: SecurityEvent): string {
  return type === 'google_connected'
    ? `On ${formatTime(atMs)} the Google account ${detail} was connected from ${client}: it can sign in to your account now.`
    : `On ${formatTime(atMs)} the Google account ${detail} was disconnected from ${client}: it can no longer sign in to your account.`
}

function sayInRomanian({ type, at_ms: atMs, client, detail }: SecurityEvent): string {
  return type === 'google_connected'
    ? `La ${formatTime(atMs)} contul Google ${detail} a fost conectat, de la ${client}: cu el se poate intra acum în contul tău.`
    : `La ${formatTime(atMs)} contul Google ${detail} a fost deconectat, de la ${client}: cu el nu se mai poate intra în contul tău.`
}
