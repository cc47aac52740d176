/** The words of the page that Google's sign-in comes back to. */
import { inLanguage } from '../language.ts'

/** In the language in use. */
export const words = inLanguage({
  en: {
    failedTitle: 'That did not work',
    notStarted: 'This page is where a sign-in with Google ends, and none was started in this browser lately.',
    back: 'Back to sign-in',
  },
  ro: {
    failedTitle: 'Nu a mers',
    notStarted: 'Aici se încheie autentificarea cu Google, iar în acest browser nu a început niciuna de curând.',
    back: 'Înapoi la autentificare',
  },
})
