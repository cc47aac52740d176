import type { EventType } from '../events.ts'
import { countOf } from '../romanian-count.ts'
import { inLanguage } from '../language.ts'

/** `more` turns the event's `detail`, whose meaning depends on its type, into a sentence. */
export type EventText = Readonly<{ title: string; more?: (detail: string | null) => string | null }>

type Words = Readonly<{
  title: string
  advice: string
  apiAccess: string
  question: string
  today: string
  yesterday: string
  empty: string
  loading: string
  more: string
  shown(count: number): string
  checkThis: string
  from(client: string): string
  key(name: string): string
  byKey(name: string): string
  unknownKey: string
  times(count: number): string
  byType: Readonly<Record<EventType, EventText>>
}>

const asIs = (detail: string | null): string | null => detail

/** Picks a text by the event's detail; `other` for an unknown detail. */
const oneOf =
  (texts: Readonly<Record<string, string>>, other: string | null = null) =>
  (detail: string | null): string | null =>
    texts[detail ?? ''] ?? other

/** Picks a text by the prefix of the limit's name: several limits share a text. */
const byStart =
  (texts: Readonly<Record<string, string>>) =>
  (detail: string | null): string | null =>
    Object.entries(texts).find(([start]) => detail?.startsWith(start))?.[1] ?? null

const byOperator = oneOf({ operator: 'By the operator of this service.' })
const deOperator = oneOf({ operator: 'De administratorul acestui serviciu.' })

const en: Words = {
  title: 'Activity',
  question: 'Do you see something you did not do?',
  advice: 'Sign out everywhere, then revoke the keys you do not know under',
  apiAccess: 'API Access',
  today: 'Today',
  yesterday: 'Yesterday',
  empty: 'Nothing has happened here yet.',
  loading: 'Loading your activity…',
  more: 'Show more',
  shown: (count) => `${count} more shown.`,
  checkThis: 'Check this',
  from: (client) => `from\u00a0${client}`,
  key: (name) => `key “${name}”`,
  byKey: (name) => `done with key “${name}”`,
  unknownKey: 'no longer listed',
  times: (count) => `${count} times within an hour`,
  byType: {
    account_created: { title: 'Account created' },
    signup_refused: {
      title: 'Sign-up with your address refused',
      more: () => 'Somebody tried to create an account with it. You already have one, so nothing changed.',
    },
    account_claimed: {
      title: 'Address confirmed as yours',
      more: () => 'Everybody else was signed out, and keys created before then wait for your decision.',
    },
    signed_in: { title: 'Signed in', more: oneOf({ magic_link: 'With an e-mail link.', google: 'With Google.' }) },
    sign_in_refused: {
      title: 'Sign-in refused',
      more: oneOf(
        {
          google: 'A Google account with your address is not connected, and was not let in.',
          disabled: 'A link was requested while the account was disabled.',
        },
        'A link sent to you was used a second time, or after it had expired.',
      ),
    },
    google_connected: { title: 'Google account connected', more: asIs },
    google_disconnected: { title: 'Google account disconnected', more: asIs },
    tokens_revoked: { title: 'Signed out everywhere', more: byOperator },
    key_created: { title: 'API key created', more: byOperator },
    key_rotated: { title: 'API key got a new secret' },
    key_kept: { title: 'API key kept', more: () => 'It had been waiting for you, and works again.' },
    key_revoked: { title: 'API key revoked', more: byOperator },
    key_leaked: {
      title: 'Secret of an API key found in the open',
      more: (seenAt) => `The key was revoked at once.${seenAt === null ? '' : ` Seen at: ${seenAt}`}`,
    },
    key_expiring: { title: 'Reminder sent: an API key is about to expire' },
    exchange_refused: {
      title: 'API key refused',
      more: oneOf({
        WRONG_SECRET: 'The secret was wrong.',
        REVOKED: 'The key is revoked.',
        EXPIRED: 'The key has expired.',
        AWAITS_OWNER: 'The key was waiting for you.',
      }),
    },
    limit_hit: {
      title: 'Too many calls, some refused',
      more: byStart({
        request: 'Requesting sign-in links.',
        exchange: 'Exchanging an API key.',
        key: 'Creating API keys.',
        'live-keys': 'The limit of live API keys.',
        export: 'Exporting the data.',
        signup: 'Signing up.',
        'sign-in': 'Signing in.',
      }),
    },
    renamed: { title: 'Display name changed' },
    exported: { title: 'All data of the account exported' },
    payment_link_deactivated: { title: 'Payment links deactivated' },
    not_me: {
      title: '“This wasn’t me” pressed in a mail',
      more: oneOf({
        sign_in: 'In a mail with a sign-in link.',
        signup_notice: 'In the mail about a new account.',
        security_notice: 'In a mail about API keys.',
        google_notice: 'In a mail about Google.',
      }),
    },
    mail_resumed: { title: 'All mails turned on again' },
    account_disabled: { title: 'Account disabled', more: () => byOperator('operator') },
    account_enabled: { title: 'Account enabled again', more: () => byOperator('operator') },
  },
}

const ro: Words = {
  title: 'Activitate',
  question: 'Vezi ceva ce nu ai făcut tu?',
  advice: 'Deconectează-te de peste tot, apoi revocă cheile pe care nu le cunoști, în',
  apiAccess: 'Acces API',
  today: 'Astăzi',
  yesterday: 'Ieri',
  empty: 'Încă nu s-a întâmplat nimic aici.',
  loading: 'Se încarcă activitatea…',
  more: 'Arată mai multe',
  shown: (count) => (count === 1 ? 'Încă un eveniment afișat.' : `Încă ${countOf(count, 'evenimente')} afișate.`),
  checkThis: 'Verifică',
  from: (client) => `de\u00a0la\u00a0${client}`,
  key: (name) => `cheia „${name}”`,
  byKey: (name) => `făcut cu cheia „${name}”`,
  unknownKey: 'nu mai apare în listă',
  times: (count) => `de ${countOf(count, 'ori')} într-o oră`,
  byType: {
    account_created: { title: 'Cont creat' },
    signup_refused: {
      title: 'Înscriere cu adresa ta refuzată',
      more: () => 'Cineva a încercat să facă un cont cu ea. Este deja a ta, așa că nu s-a schimbat nimic.',
    },
    account_claimed: {
      title: 'Ai dovedit că adresa este a ta',
      more: () => 'Toți ceilalți au fost deconectați, iar cheile făcute înainte așteaptă decizia ta.',
    },
    signed_in: {
      title: 'Autentificare',
      more: oneOf({ magic_link: 'Cu un link primit pe e-mail.', google: 'Cu Google.' }),
    },
    sign_in_refused: {
      title: 'Autentificare refuzată',
      more: oneOf(
        {
          google: 'Un cont Google cu adresa ta nu este conectat și nu a fost lăsat să intre.',
          disabled: 'A fost cerut un link cât timp contul era dezactivat.',
        },
        'Un link de-al tău a fost folosit a doua oară sau prea târziu.',
      ),
    },
    google_connected: { title: 'Cont Google conectat', more: asIs },
    google_disconnected: { title: 'Cont Google deconectat', more: asIs },
    tokens_revoked: { title: 'Deconectare de peste tot', more: deOperator },
    key_created: { title: 'Cheie API creată', more: deOperator },
    key_rotated: { title: 'Cheia API a primit un secret nou' },
    key_kept: { title: 'Cheie API păstrată', more: () => 'Te aștepta pe tine și funcționează din nou.' },
    key_revoked: { title: 'Cheie API revocată', more: deOperator },
    key_leaked: {
      title: 'Secretul unei chei API a fost găsit la vedere',
      more: (seenAt) => `Cheia a fost revocată imediat.${seenAt === null ? '' : ` Văzut la: ${seenAt}`}`,
    },
    key_expiring: { title: 'Ți-am amintit: o cheie API expiră în curând' },
    exchange_refused: {
      title: 'Cheie API refuzată',
      more: oneOf({
        WRONG_SECRET: 'Secretul a fost greșit.',
        REVOKED: 'Cheia este revocată.',
        EXPIRED: 'Cheia a expirat.',
        AWAITS_OWNER: 'Cheia te aștepta pe tine.',
      }),
    },
    limit_hit: {
      title: 'Prea multe apeluri, unele refuzate',
      more: byStart({
        request: 'La cererea de linkuri de autentificare.',
        exchange: 'La schimbul unei chei API.',
        key: 'La crearea de chei API.',
        'live-keys': 'Numărul maxim de chei al unui cont.',
        export: 'La exportul datelor.',
        signup: 'La înscriere.',
        'sign-in': 'La autentificare.',
      }),
    },
    renamed: { title: 'Numele afișat a fost schimbat' },
    exported: { title: 'Toate datele contului au fost exportate' },
    payment_link_deactivated: { title: 'Linkuri de plată dezactivate' },
    not_me: {
      title: 'S-a apăsat „Nu am fost eu” într-un mesaj',
      more: oneOf({
        sign_in: 'Într-un mesaj cu link de autentificare.',
        signup_notice: 'În mesajul despre un cont nou.',
        security_notice: 'Într-un mesaj despre chei API.',
        google_notice: 'Într-un mesaj despre Google.',
      }),
    },
    mail_resumed: { title: 'Primești din nou toate mesajele' },
    account_disabled: { title: 'Cont dezactivat', more: () => deOperator('operator') },
    account_enabled: { title: 'Cont activat din nou', more: () => deOperator('operator') },
  },
}

export const words = inLanguage({ en, ro })
