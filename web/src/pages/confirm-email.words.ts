import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Use this e-mail address?',
    text: 'If you confirm, your account has this address from now on: sign-in links and notices go to it.',
    effects:
      'Every other browser is signed out, and Google is disconnected. The old address can undo the change for seven days.',
    act: 'Change my address',
    acting: 'Changing…',
    elsewhereTitle: 'Open this link where you asked for it',
    elsewhere: [
      'Only the browser that asked for this change, and is still signed in, can confirm it: nobody else can move an account to another address.',
      'Open the link in that browser. Or sign in with the present address of the account and ask again on the profile.',
    ],
    signIn: 'Go to the profile',
    invalidTitle: 'This link no longer works',
    invalid:
      'It works once, for ten minutes, and ends when you ask again or sign out. Ask for the change again on your profile.',
    missing: 'This page is opened by a link in an e-mail.',
    doneTitle: 'Your address is changed',
    done: (email: string) => ['Your account’s address is ', email, ' now. Sign in with it from now on.'] as const,
    goOn: 'Back to the profile',
    forFrontend: 'Continue to confirm it in the browser in which you asked.',
    continue: 'Continue',
  },
  ro: {
    title: 'Folosești această adresă de e-mail?',
    text: 'Dacă o confirmi, contul tău are de acum această adresă: aici vin linkurile de autentificare și notificările.',
    effects:
      'Toate celelalte browsere sunt deconectate, iar Google la fel. De la vechea adresă poți anula schimbarea timp de șapte zile.',
    act: 'Schimbă-mi adresa',
    acting: 'Se schimbă…',
    elsewhereTitle: 'Deschide linkul acolo de unde l-ai cerut',
    elsewhere: [
      'Numai browserul care a cerut schimbarea, și care este încă autentificat, o poate confirma: nimeni altcineva nu poate muta un cont la altă adresă.',
      'Deschide linkul în acel browser. Sau autentifică-te cu adresa actuală a contului și cere din nou, din profil.',
    ],
    signIn: 'Mergi la profil',
    invalidTitle: 'Acest link nu mai funcționează',
    invalid:
      'Funcționează o singură dată, timp de zece minute, și se anulează dacă ceri altul sau te deconectezi. Cere din nou schimbarea din profil.',
    missing: 'Această pagină se deschide dintr-un link primit pe e-mail.',
    doneTitle: 'Adresa ta este schimbată',
    done: (email: string) => ['Adresa contului tău este acum ', email, '. De acum autentifică-te cu ea.'] as const,
    goOn: 'Înapoi la profil',
    forFrontend: 'Continuă pentru a confirma în browserul din care ai cerut.',
    continue: 'Continuă',
  },
})
