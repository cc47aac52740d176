import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Sign in',
    lead: 'No password: we mail you a link. New here? The same link creates your account.',
    leadForOld: 'No password: we mail you a link. New accounts are closed here.',
    google: 'Continue with Google',
    or: 'or',
    email: 'E-mail address',
    send: 'E-mail me a link',
    sendIn: (duration: string) => `E-mail me a link in ${duration}`,
    emailInvalid: 'Enter a full e-mail address, for example ana@example.com.',
    refusedByGoogle:
      'Google does not allow signing in inside this app. Use the e-mail link, or open this page in your browser.',
    sentTitle: 'Check your mail',
    sent: (email: string) =>
      ['If ', email, ' can receive mail, a sign-in link is on its way. It works once, for ten minutes.'] as const,
    inbox: (provider: string) => `Open ${provider}`,
    mailbox: 'Open the development mailbox',
    again: 'Send it again',
    againIn: (duration: string) => `Send it again in ${duration}`,
    sentAgain: 'Sent again. Once you use one link, the others stop working.',
    other: 'Use another address',
    spam: 'No mail? Check your spam folder.',
    back: 'Sign in to go back to where you were.',
  },
  ro: {
    title: 'Autentificare',
    lead: 'Fără parolă: îți trimitem un link pe e-mail. Ești aici prima dată? Același link îți face contul.',
    leadForOld: 'Fără parolă: îți trimitem un link pe e-mail. Aici nu se fac conturi noi.',
    google: 'Continuă cu Google',
    or: 'sau',
    email: 'Adresa de e-mail',
    send: 'Trimite-mi un link',
    sendIn: (duration: string) => `Îl poți cere peste ${duration}`,
    emailInvalid: 'Scrie o adresă de e-mail întreagă, de exemplu ana@example.com.',
    refusedByGoogle:
      'Google nu permite autentificarea din această aplicație. Folosește linkul pe e-mail sau deschide pagina în browser.',
    sentTitle: 'Verifică-ți e-mailul',
    sent: (email: string) =>
      [
        'Dacă ',
        email,
        ' poate primi mesaje, linkul de autentificare este pe drum. Funcționează o singură dată, timp de zece minute.',
      ] as const,
    inbox: (provider: string) => `Deschide ${provider}`,
    mailbox: 'Deschide căsuța poștală de dezvoltare',
    again: 'Trimite din nou',
    againIn: (duration: string) => `Poți retrimite peste ${duration}`,
    sentAgain: 'Trimis din nou. După ce folosești un link, celelalte nu mai funcționează.',
    other: 'Folosește altă adresă',
    spam: 'N-a ajuns nimic? Caută în dosarul spam.',
    back: 'Autentifică-te ca să revii unde erai.',
  },
})
