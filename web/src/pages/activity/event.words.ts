import type { EventType } from '../../event-kinds.ts'
import { inLanguage } from '../../language.ts'

/** `more` turns the event's `detail`, whose meaning depends on its type, into a sentence. */
type EventText = Readonly<{ title: string; more?: (detail: string | null) => string | null }>

type EventTexts = Readonly<Record<EventType, EventText>>

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

const en: EventTexts = {
  account_created: { title: 'Account created' },
  signup_refused: {
    title: 'Sign-up with your address refused',
    more: () => 'Someone tried to create an account with it. The address is already yours, so nothing changed.',
  },
  account_claimed: {
    title: 'Address confirmed as yours',
    more: () => 'Everybody else was signed out. You decide about each API key created before.',
  },
  signed_in: { title: 'Signed in', more: oneOf({ magic_link: 'With an e-mail link.', google: 'With Google.' }) },
  sign_in_refused: {
    title: 'Sign-in refused',
    more: oneOf(
      {
        google: 'A Google account with your address is not connected, so it was refused.',
        disabled: 'A link was requested while the account was disabled.',
      },
      'A link sent to you was used a second time, or after it had expired.',
    ),
  },
  google_connected: { title: 'Google account connected', more: asIs },
  google_disconnected: { title: 'Google account disconnected', more: asIs },
  signed_out: { title: 'Signed out', more: byOperator },
  google_not_restored: {
    title: 'Google account not connected again',
    more: (email) =>
      `${email} was connected shortly before the change, was used for it, or belongs to another account now. If it is yours, connect it again.`,
  },
  email_change_asked: { title: 'New e-mail address asked for', more: asIs },
  email_changed: { title: 'E-mail address changed', more: asIs },
  email_change_undone: { title: 'Change of the e-mail address undone', more: asIs },
  tokens_revoked: { title: 'Signed out everywhere', more: byOperator },
  key_created: { title: 'API key created', more: byOperator },
  key_rotated: { title: 'API key got a new secret' },
  key_kept: { title: 'API key kept', more: () => 'It works again.' },
  key_restricted: {
    title: 'Changed what an API key may do',
    more: oneOf({ widened: 'It may do more than before.' }),
  },
  key_revoked: { title: 'API key revoked', more: byOperator },
  key_leaked: {
    title: 'Secret of an API key found in public',
    more: (seenAt) => `The key was revoked immediately.${seenAt === null ? '' : ` Seen at: ${seenAt}`}`,
  },
  key_expiring: { title: 'Reminder sent: an API key is about to expire' },
  exchange_refused: {
    title: 'API key refused',
    more: oneOf({
      WRONG_SECRET: 'The secret was wrong.',
      OUTSIDE_NETWORKS:
        'The secret was right, but the call came from outside of the networks that the key works from. If the call was not yours, rotate the key.',
      REVOKED: 'The key is revoked.',
      EXPIRED: 'The key has expired.',
      AWAITS_OWNER: 'You have not decided yet whether to keep the key.',
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
    title: '“This wasn’t me” pressed in an e-mail',
    more: oneOf({
      sign_in: 'In an e-mail with a sign-in link.',
      signup_notice: 'In the e-mail about a new account.',
      security_notice: 'In an e-mail about API keys.',
      google_notice: 'In an e-mail about Google.',
      sign_in_notice: 'In an e-mail about a new sign-in.',
      email_change: 'In an e-mail to a new address.',
      email_notice: 'In an e-mail about a change of your address.',
    }),
  },
  mail_resumed: { title: 'E-mails turned back on' },
  deletion_asked: {
    title: 'Account deleted',
    more: () => 'It was kept until the change of its address could no longer be undone.',
  },
  account_disabled: { title: 'Account disabled', more: () => byOperator('operator') },
  account_enabled: { title: 'Account enabled again', more: () => byOperator('operator') },
}

const ro: EventTexts = {
  account_created: { title: 'Cont creat' },
  signup_refused: {
    title: 'Înscriere cu adresa ta refuzată',
    more: () => 'Cineva a încercat să creeze un cont cu ea. Adresa este deja a ta, așa că nu s-a schimbat nimic.',
  },
  account_claimed: {
    title: 'Adresă confirmată',
    more: () => 'Toți ceilalți au fost deconectați. Tu decizi ce se întâmplă cu cheile API create înainte.',
  },
  signed_in: {
    title: 'Autentificare',
    more: oneOf({ magic_link: 'Cu un link primit pe e-mail.', google: 'Cu Google.' }),
  },
  sign_in_refused: {
    title: 'Autentificare refuzată',
    more: oneOf(
      {
        google: 'Un cont Google cu adresa ta nu este conectat, așa că accesul i-a fost refuzat.',
        disabled: 'A fost cerut un link cât timp contul era dezactivat.',
      },
      'Un link trimis ție a fost folosit a doua oară sau după ce a expirat.',
    ),
  },
  google_connected: { title: 'Cont Google conectat', more: asIs },
  google_disconnected: { title: 'Cont Google deconectat', more: asIs },
  signed_out: { title: 'Deconectare', more: deOperator },
  google_not_restored: {
    title: 'Contul Google nu a fost conectat din nou',
    more: (email) =>
      `${email} a fost conectat cu puțin înainte de schimbare, a fost folosit pentru ea sau este acum al altui cont. Dacă este al tău, conectează-l din nou.`,
  },
  email_change_asked: { title: 'Adresă de e-mail nouă cerută', more: asIs },
  email_changed: { title: 'Adresa de e-mail schimbată', more: asIs },
  email_change_undone: { title: 'Schimbarea adresei de e-mail anulată', more: asIs },
  tokens_revoked: { title: 'Deconectare de peste tot', more: deOperator },
  key_created: { title: 'Cheie API creată', more: deOperator },
  key_rotated: { title: 'Cheia API a primit un secret nou' },
  key_kept: { title: 'Cheie API păstrată', more: () => 'Funcționează din nou.' },
  key_restricted: {
    title: 'S-a schimbat ce poate face o cheie API',
    more: oneOf({ widened: 'Poate face mai mult decât înainte.' }),
  },
  key_revoked: { title: 'Cheie API revocată', more: deOperator },
  key_leaked: {
    title: 'Secretul unei chei API a fost găsit într-un loc public',
    more: (seenAt) => `Cheia a fost revocată imediat.${seenAt === null ? '' : ` Văzut la: ${seenAt}`}`,
  },
  key_expiring: { title: 'Ți-am amintit: o cheie API expiră în curând' },
  exchange_refused: {
    title: 'Cheie API refuzată',
    more: oneOf({
      WRONG_SECRET: 'Secretul a fost greșit.',
      OUTSIDE_NETWORKS:
        'Secretul a fost corect, dar apelul a venit din afara rețelelor din care funcționează cheia. Dacă apelul nu a fost al tău, rotește cheia.',
      REVOKED: 'Cheia este revocată.',
      EXPIRED: 'Cheia a expirat.',
      AWAITS_OWNER: 'Nu ai decis încă dacă păstrezi cheia.',
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
    title: 'S-a apăsat „Nu am fost eu” într-un e-mail',
    more: oneOf({
      sign_in: 'Într-un e-mail cu link de autentificare.',
      signup_notice: 'În e-mailul despre un cont nou.',
      security_notice: 'Într-un e-mail despre chei API.',
      google_notice: 'Într-un e-mail despre Google.',
      sign_in_notice: 'Într-un e-mail despre o autentificare nouă.',
      email_change: 'Într-un e-mail către o adresă nouă.',
      email_notice: 'Într-un e-mail despre schimbarea adresei tale.',
    }),
  },
  mail_resumed: { title: 'E-mailuri reactivate' },
  deletion_asked: {
    title: 'Cont șters',
    more: () => 'A fost păstrat cât timp schimbarea adresei lui mai putea fi anulată.',
  },
  account_disabled: { title: 'Cont dezactivat', more: () => deOperator('operator') },
  account_enabled: { title: 'Cont activat din nou', more: () => deOperator('operator') },
}

const texts = inLanguage({ en, ro })

/** A page loaded before an update may receive a newer type. */
export const textOf = (type: EventType): EventText =>
  (texts as Readonly<Record<string, EventText>>)[type] ?? { title: type }
