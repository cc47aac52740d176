import { inLanguage } from '../../language.ts'
import { plural } from '../../plural.ts'

const en = {
  title: 'Sign-ins',
  text: 'The browsers and programs signed in as you. Sign out of one that you do not recognise. API keys keep working.',
  thisBrowser: 'This browser',
  method: { magic_link: 'with an e-mail link', google: 'with Google' },
  since: (when: string, how: string) => `signed in ${how} since ${when}`,
  activeNow: 'active now',
  lastActive: (when: string) => `active ${when}`,
  signOut: 'Sign out',
  signingOut: 'Signing out…',
  about: (act: string, name: string, details: string) => `${act}: ${name}, ${details}`,
  isEnded: (name: string) => `${name} is signed out.`,
  mayLive: (name: string, reason: string) => `${name} may still be signed in. ${reason}`,
  more: (count: number) => plural(count, { one: '# more sign-in', other: '# more sign-ins' }),
  isUnlisted: 'This browser signed in before sign-ins were listed here. “Sign out everywhere” includes it.',
}

const ro: typeof en = {
  title: 'Autentificări',
  text: 'Browserele și programele conectate la contul tău. Deconectează ce nu recunoști. Cheile API rămân active.',
  thisBrowser: 'Acest browser',
  method: { magic_link: 'cu un link pe e-mail', google: 'cu Google' },
  since: (when, how) => `autentificat ${how} din ${when}`,
  activeNow: 'activ acum',
  lastActive: (when) => `activ ${when}`,
  signOut: 'Deconectează',
  signingOut: 'Se deconectează…',
  about: (act, name, details) => `${act}: ${name}, ${details}`,
  isEnded: (name) => `${name}: deconectat.`,
  mayLive: (name, reason) => `${name}: poate fi încă autentificat. ${reason}`,
  more: (count) =>
    plural(count, { one: 'Încă o autentificare', few: 'Încă # autentificări', other: 'Încă # de autentificări' }),
  isUnlisted:
    'Acest browser s-a autentificat înainte ca autentificările să apară aici. „Deconectare de peste tot” îl include.',
}

export const words = inLanguage({ en, ro })
