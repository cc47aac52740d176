import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Sign in',
    lead: 'We’ll e-mail you a link, no password needed. New here? The same link creates your account.',
    leadForOld: 'We’ll e-mail you a link, no password needed. Sign-up is closed here.',
    google: 'Continue with Google',
    or: 'or',
    email: 'E-mail address',
    send: 'E-mail me a link',
    sendIn: (duration: string) => `E-mail me a link in ${duration}`,
    emailInvalid: 'Enter a full e-mail address, for example ana@example.com.',
    refusedByGoogle:
      'Google does not allow signing in inside this app. Use the e-mail link, or open this page in your browser.',
    sentTitle: 'Check your inbox',
    sent: (email: string) =>
      ['If ', email, ' can sign in here, a link is on its way. It works once and expires in ten minutes.'] as const,
    inbox: (provider: string) => `Open ${provider}`,
    mailbox: 'Open the development mailbox',
    again: 'Send again',
    againIn: (duration: string) => `Send again in ${duration}`,
    sentAgain: 'Sent again. Once you use one link, the others stop working.',
    other: 'Use another address',
    spam: 'Can’t find it? Check your spam folder.',
    back: 'Sign in to continue.',
  },
  ro: {
    title: 'Autentificare',
    lead: 'Îți trimitem un link pe e-mail, fără parolă. Ești aici pentru prima dată? Același link îți creează contul.',
    leadForOld: 'Îți trimitem un link pe e-mail, fără parolă. Aici nu se pot crea conturi noi.',
    google: 'Continuă cu Google',
    or: 'sau',
    email: 'Adresă de e-mail',
    send: 'Trimite-mi un link',
    sendIn: (duration: string) => `Trimite-mi un link peste ${duration}`,
    emailInvalid: 'Scrie o adresă de e-mail completă, de exemplu ana@example.com.',
    refusedByGoogle:
      'Google nu permite autentificarea din această aplicație. Folosește linkul pe e-mail sau deschide pagina în browser.',
    sentTitle: 'Verifică-ți e-mailul',
    sent: (email: string) =>
      [
        'Dacă ',
        email,
        ' poate fi folosită aici, linkul e pe drum. Funcționează o singură dată și expiră în zece minute.',
      ] as const,
    inbox: (provider: string) => `Deschide ${provider}`,
    mailbox: 'Deschide căsuța poștală de dezvoltare',
    again: 'Trimite din nou',
    againIn: (duration: string) => `Trimite din nou peste ${duration}`,
    sentAgain: 'Am trimis linkul din nou. După ce folosești unul, celelalte nu mai funcționează.',
    other: 'Folosește altă adresă',
    spam: 'Nu îl găsești? Verifică și în Spam.',
    back: 'Autentifică-te pentru a continua.',
  },
})
