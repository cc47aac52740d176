import { findEventsSince } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import type { EventType } from '../../domain/events/security-events.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { formatTime, sayOrigin } from './mail-words.ts'
import { render } from './render-mail.ts'

const reportedTypes = ['google_connected', 'google_disconnected'] as const satisfies EventType[]

/** Reports everything since the mail was queued, so that many changes are one mail. */
export const composeConnectionNotice: Composer = async (deps, trx, mail) => {
  const sinceMs = mail.tells_since_ms ?? mail.created_at_ms
  const user = await findUserOfMailbox(trx, mail.email, deps.clock.now())
  const events = user && (await findEventsSince(trx, user.id, reportedTypes, sinceMs))
  if (events === undefined || events.length === 0) return undefined

  const words = {
    en: {
      subject: 'Your sign-in with Google changed',
      before: events.map(sayInEnglish),
      button: 'Review your account',
      after: ['If you know about this, you do not have to do anything.'],
    },
    ro: {
      subject: 'Autentificarea ta cu Google s-a schimbat',
      before: events.map(sayInRomanian),
      button: 'Verifică-ți contul',
      after: ['Dacă știi despre asta, nu ai nimic de făcut.'],
    },
  }
  return render(mail.locale, words, {
    main: deps.config.appUrl.href,
    notMe: await addButton(deps, trx, mail, 'not_me', { tellsSinceMs: sinceMs }),
  })
}

function sayInEnglish(event: SecurityEvent): string {
  const [when, from] = [formatTime('en', event.at_ms), sayOrigin('en', event)]
  return event.type === 'google_connected'
    ? `On ${when} the Google account ${event.detail} was connected, ${from}. It can sign in to your account now.`
    : `On ${when} the Google account ${event.detail} was disconnected, ${from}. It can no longer sign in to your account.`
}

function sayInRomanian(event: SecurityEvent): string {
  const [when, from] = [formatTime('ro', event.at_ms), sayOrigin('ro', event)]
  return event.type === 'google_connected'
    ? `Pe ${when} contul Google ${event.detail} a fost conectat, ${from}. Cu el se poate intra acum în contul tău.`
    : `Pe ${when} contul Google ${event.detail} a fost deconectat, ${from}. Cu el nu se mai poate intra în contul tău.`
}
