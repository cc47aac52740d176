import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    failedTitle: 'The sign-in failed',
    notStarted: 'A sign-in with Google ends on this page, but none was started in this browser recently.',
    back: 'Back to sign-in',
  },
  ro: {
    failedTitle: 'Nu a mers',
    notStarted: 'Aici se încheie autentificarea cu Google, iar în acest browser nu a început niciuna de curând.',
    back: 'Înapoi la autentificare',
  },
})
