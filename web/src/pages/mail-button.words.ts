import { inLanguage } from '../language.ts'

/** What “this wasn’t me” does, by the kind of mail. */
type Consequences = Readonly<{ other: string; byKind: Readonly<Record<string, string>> }>

const english: Consequences = {
  other:
    'If somebody used the link in that e-mail or created or changed the API keys it mentions, your account is signed out everywhere, connected apps lose their access for good, and those keys stop working until you keep them.',
  byKind: {
    google_notice:
      'The Google account that it reports is disconnected, your account is signed out everywhere, connected apps lose their access for good, and API keys created since then stop working until you keep them.',
    sign_in_notice:
      'The sign-in that it reports ends, and so does every other one. Connected apps lose their access for good. API keys that it created stop working until you keep them. If it changed your address or connected Google, that is undone.',
    email_change: 'The link in that e-mail can no longer give this address to an account.',
    email_notice:
      'The change of address that it reports ends. If it was already made, it is undone, and Google accounts that you had connected before come back where that is safe. Your account is signed out everywhere, connected apps lose their access for good, and API keys from the same sign-in stop working until you keep them.',
  },
}

const romanian: Consequences = {
  other:
    'Dacă cineva a folosit linkul din acel e-mail sau a creat ori a modificat cheile API menționate în el, contul tău este deconectat de peste tot, aplicațiile conectate își pierd definitiv accesul, iar acele chei nu mai funcționează până nu le păstrezi.',
  byKind: {
    google_notice:
      'Contul Google raportat în el este deconectat, contul tău este deconectat de peste tot, aplicațiile conectate își pierd definitiv accesul, iar cheile API create de atunci nu mai funcționează până nu le păstrezi.',
    sign_in_notice:
      'Autentificarea raportată în el se încheie, la fel și toate celelalte. Aplicațiile conectate își pierd definitiv accesul. Cheile API create prin ea nu mai funcționează până nu le păstrezi. Dacă prin ea s-a schimbat adresa sau s-a conectat Google, acestea se anulează.',
    email_change: 'Linkul din acel e-mail nu mai poate da această adresă unui cont.',
    email_notice:
      'Schimbarea de adresă raportată în el se oprește. Dacă a fost deja făcută, se anulează, iar conturile Google conectate înainte revin acolo unde este sigur. Contul tău este deconectat de peste tot, aplicațiile conectate își pierd definitiv accesul, iar cheile API create prin aceeași autentificare nu mai funcționează până nu le păstrezi.',
  },
}

/** @param kind of the mail; undefined if the service could not be asked */
const consequence = ({ other, byKind }: Consequences, kind = ''): string => byKind[kind] ?? other

export const words = inLanguage({
  en: {
    missing: 'This page is opened by a link in an e-mail.',
    invalid: 'This link is not valid or has expired. It works for seven days.',
    signIn: 'Sign in',
    notMe: {
      title: 'This wasn’t you?',
      text: (kind: string | undefined) => [
        'If you confirm, the sign-in links sent to you stop working.',
        consequence(english, kind),
        'After that you get at most one e-mail a day that others can trigger.',
      ],
      act: 'This wasn’t me',
      doneTitle: 'Your account is protected',
      done: 'Done. You can still sign in. The next e-mail you get also lets you turn all e-mails back on.',
    },
    resume: {
      title: 'Turn all e-mails back on?',
      text: ['You chose “This wasn’t me” in an e-mail. Since then we send you at most one e-mail a day.'],
      act: 'Turn e-mails back on',
      doneTitle: 'E-mails are back on',
      done: 'Done. You can request a sign-in link now.',
    },
    undo: {
      title: 'Keep your old address?',
      text: [
        'The address of your account was changed. If you confirm, this address becomes the account’s again. Google accounts that were connected before come back where that is safe.',
        'Every browser and program is signed out, connected apps lose their access for good, and API keys created since wait until you keep them. An account that was deleted since comes back.',
      ],
      act: 'Keep my old address',
      doneTitle: 'Your address is back',
      done: 'Done. Sign in with this address, then look through your API keys and activity.',
    },
    about: {
      looking: 'Checking the e-mail…',
      mail: (what: string, when: string) => `${what}, sent on ${when} to `,
      kinds: {
        sign_in: 'An e-mail with a sign-in link',
        signup_notice: 'An e-mail about a new account',
        security_notice: 'An e-mail about API keys',
        google_notice: 'An e-mail about Google',
        sign_in_notice: 'An e-mail about a new sign-in',
        email_change: 'An e-mail to a new address',
        email_notice: 'An e-mail about a change of your address',
      },
      signIn: (kind: string) =>
        kind === 'sign_in_notice' ? 'It reports this sign-in:' : 'Its link was used to sign in:',
      pressed: (when: string) => `You confirmed this before, on ${when}.`,
    },
  },
  ro: {
    missing: 'Această pagină se deschide dintr-un link primit pe e-mail.',
    invalid: 'Acest link nu este valid sau a expirat. Funcționează șapte zile.',
    signIn: 'Autentificare',
    notMe: {
      title: 'Nu ai fost tu?',
      text: (kind: string | undefined) => [
        'Dacă confirmi, linkurile de autentificare trimise nu mai funcționează.',
        consequence(romanian, kind),
        'După aceea primești cel mult un e-mail pe zi dintre cele pe care le pot declanșa alții.',
      ],
      act: 'Nu am fost eu',
      doneTitle: 'Contul tău este protejat',
      done: 'Gata. Te poți autentifica în continuare. Din următorul e-mail poți reactiva toate e-mailurile.',
    },
    resume: {
      title: 'Reactivezi toate e-mailurile?',
      text: ['Ai ales „Nu am fost eu” într-un e-mail. De atunci îți trimitem cel mult un e-mail pe zi.'],
      act: 'Reactivează e-mailurile',
      doneTitle: 'E-mailurile sunt reactivate',
      done: 'Gata. Poți cere acum un link de autentificare.',
    },
    undo: {
      title: 'Păstrezi vechea adresă?',
      text: [
        'Adresa contului tău a fost schimbată. Dacă confirmi, contul primește din nou această adresă. Conturile Google conectate înainte revin acolo unde este sigur.',
        'Toate browserele și programele sunt deconectate, aplicațiile conectate își pierd definitiv accesul, iar cheile API create de atunci așteaptă până le păstrezi. Un cont șters între timp revine.',
      ],
      act: 'Păstrează vechea adresă',
      doneTitle: 'Ai din nou vechea adresă',
      done: 'Gata. Autentifică-te cu această adresă, apoi verifică-ți cheile API și activitatea.',
    },
    about: {
      looking: 'Se verifică e-mailul…',
      mail: (what: string, when: string) => `${what}, trimis pe ${when} la `,
      kinds: {
        sign_in: 'Un e-mail cu un link de autentificare',
        signup_notice: 'Un e-mail despre un cont nou',
        security_notice: 'Un e-mail despre chei API',
        google_notice: 'Un e-mail despre Google',
        sign_in_notice: 'Un e-mail despre o autentificare nouă',
        email_change: 'Un e-mail către o adresă nouă',
        email_notice: 'Un e-mail despre schimbarea adresei tale',
      },
      signIn: (kind: string) =>
        kind === 'sign_in_notice'
          ? 'El raportează această autentificare:'
          : 'Linkul din el a fost folosit pentru autentificare:',
      pressed: (when: string) => `Ai confirmat deja, pe ${when}.`,
    },
  },
})
