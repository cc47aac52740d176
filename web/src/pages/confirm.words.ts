import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Confirm it’s you',
    for: (email: string) => ['You are signing in as ', email, '.'] as const,
    confirm: 'Sign in',
    looking: 'Checking your link…',
    invalidTitle: 'This link no longer works',
    invalid:
      'A link works once and expires after ten minutes. Using one ends the others. Request a new one to continue.',
    missing: 'This page is opened by the link in a sign-in e-mail.',
    again: 'Get a new link',
    retry: 'Try again',
    other: 'Use another address',
    notAsked:
      'This link was not requested in this browser. Continue only if you requested it elsewhere and the address is yours.',
    notYou: 'Didn’t request this? Close this page and choose “This wasn’t me” in the e-mail.',
  },
  ro: {
    title: 'Confirmă că ești tu',
    for: (email: string) => ['Intri în cont ca ', email, '.'] as const,
    confirm: 'Intră în cont',
    looking: 'Se verifică linkul…',
    invalidTitle: 'Acest link nu mai funcționează',
    invalid:
      'Un link funcționează o singură dată și expiră după zece minute. După ce folosești unul, celelalte se dezactivează. Cere unul nou pentru a continua.',
    missing: 'Această pagină se deschide din linkul primit pe e-mail.',
    again: 'Cere un link nou',
    retry: 'Încearcă din nou',
    other: 'Folosește altă adresă',
    notAsked:
      'Linkul nu a fost cerut din acest browser. Continuă numai dacă l-ai cerut din altă parte, iar adresa este a ta.',
    notYou: 'Nu tu l-ai cerut? Închide pagina și alege „Nu am fost eu” în e-mail.',
  },
})
