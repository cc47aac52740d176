import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    failedTitle: 'Sign-in failed',
    notStarted: 'No sign-in with Google is in progress in this browser. Start again on the sign-in page.',
    back: 'Back to sign-in',
  },
  ro: {
    failedTitle: 'Autentificarea nu a reușit',
    notStarted: 'În acest browser nu este în curs nicio autentificare cu Google. Ia-o de la capăt.',
    back: 'Înapoi la autentificare',
  },
})
