import type { EventKind } from '../event-kinds.ts'
import { inLanguage } from '../language.ts'
import { plural } from '../plural.ts'

export type Filter = EventKind | 'all'

const en = {
  title: 'Activity',
  question: 'See something you did not do?',
  advice: 'Sign out everywhere, then revoke the keys you do not recognise under',
  apiAccess: 'API Access',
  today: 'Today',
  yesterday: 'Yesterday',
  filter: 'Kind of activity',
  filters: {
    all: 'All',
    alert: 'To check',
    sign_in: 'Sign-ins',
    api_key: 'API keys',
    payment_link: 'Payment links',
    account: 'Account',
  } satisfies Record<Filter, string>,
  empty: {
    all: 'Sign-ins, API keys and changes to your account will appear here.',
    alert: 'Nothing to check. Refused sign-ins and keys, leaked secrets and reports of “This wasn’t me” appear here.',
    sign_in: 'No sign-ins on record.',
    api_key: 'Nothing has happened to an API key yet.',
    payment_link: 'No payment link has been deactivated yet.',
    account: 'Nothing about the account itself is on record.',
  } satisfies Record<Filter, string>,
  loading: 'Loading your activity…',
  more: 'Show more',
  shown: (count: number) => plural(count, { one: '# more event shown.', other: '# more events shown.' }),
  checkThis: 'Check this',
  wasMe: 'This was me',
  isMe: 'This was you',
  checkAgain: 'Not me after all',
  wasMeHint: '“This was me” is kept in this browser only, until you sign out.',
  isMarked: 'Marked as you, in this browser, until you sign out.',
  isUnmarked: 'Marked to check again.',
  revoke: 'Revoke key',
  about: (act: string, event: string) => `${act}: ${event}`,
  from: (client: string) => `from\u00a0${client}`,
  signIn: (browser: string) => `sign-in of ${browser}`,
  program: 'a program or an unknown browser',
  thisBrowser: 'this browser',
  key: (name: string) => `key “${name}”`,
  byKey: (name: string) => `done with key “${name}”`,
  unknownKey: 'no longer listed',
  times: (count: number) => plural(count, { one: '# time within an hour', other: '# times within an hour' }),
}

const ro: typeof en = {
  title: 'Activitate',
  question: 'Vezi ceva ce nu ai făcut tu?',
  advice: 'Deconectează-te de peste tot, apoi revocă cheile pe care nu le recunoști, în',
  apiAccess: 'Acces API',
  today: 'Astăzi',
  yesterday: 'Ieri',
  filter: 'Tipul activității',
  filters: {
    all: 'Toate',
    alert: 'De verificat',
    sign_in: 'Autentificări',
    api_key: 'Chei API',
    payment_link: 'Linkuri de plată',
    account: 'Cont',
  },
  empty: {
    all: 'Autentificările, cheile API și schimbările contului vor apărea aici.',
    alert:
      'Nimic de verificat. Aici apar autentificările și cheile refuzate, secretele divulgate și rapoartele „Nu am fost eu”.',
    sign_in: 'Nicio autentificare înregistrată.',
    api_key: 'Încă nu s-a întâmplat nimic cu vreo cheie API.',
    payment_link: 'Încă nu a fost dezactivat niciun link de plată.',
    account: 'Nimic înregistrat despre contul însuși.',
  },
  loading: 'Se încarcă activitatea…',
  more: 'Arată mai multe',
  shown: (count) =>
    plural(count, {
      one: 'Încă un eveniment afișat.',
      few: 'Încă # evenimente afișate.',
      other: 'Încă # de evenimente afișate.',
    }),
  checkThis: 'Verifică',
  wasMe: 'Eu am fost',
  isMe: 'Ai fost tu',
  checkAgain: 'Totuși nu am fost eu',
  wasMeHint: '„Eu am fost” se păstrează doar în acest browser, până te deconectezi.',
  isMarked: 'Marcat ca al tău, în acest browser, până te deconectezi.',
  isUnmarked: 'Marcat din nou de verificat.',
  revoke: 'Revocă cheia',
  about: (act, event) => `${act}: ${event}`,
  from: (client) => `de\u00a0la\u00a0${client}`,
  signIn: (browser) => `autentificarea din ${browser}`,
  program: 'un program sau un browser necunoscut',
  thisBrowser: 'acest browser',
  key: (name) => `cheia „${name}”`,
  byKey: (name) => `făcut cu cheia „${name}”`,
  unknownKey: 'nu mai apare în listă',
  times: (count) =>
    plural(count, { one: 'o dată într-o oră', few: 'de # ori într-o oră', other: 'de # de ori într-o oră' }),
}

export const words = inLanguage({ en, ro })
