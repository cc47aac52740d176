import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Confirm it’s you',
    for: (email: string) => ['You are signing in as ', email, '.'] as const,
    confirm: 'Sign in',
    looking: 'Checking your link…',
    invalidTitle: 'This link no longer works',
    invalid:
      'A link works once and for ten minutes, and using one ends the others. Request a new one: it takes a moment.',
    missing: 'This page is opened by the link in a sign-in mail.',
    again: 'Get a new link',
    retry: 'Try again',
    other: 'Use another address',
    notAsked:
      'This browser did not request this link. Continue only if you requested it elsewhere and the address is yours.',
    notYou: 'Did you not request this? Close this page, and use “This wasn’t me” in the mail.',
  },
  ro: {
    title: 'Confirmă că ești tu',
    for: (email: string) => ['Te autentifici ca ', email, '.'] as const,
    confirm: 'Intră în cont',
    looking: 'Verificăm linkul…',
    invalidTitle: 'Acest link nu mai funcționează',
    invalid:
      'Un link funcționează o singură dată, timp de zece minute, iar folosirea unuia le oprește pe celelalte. Cere unul nou: durează o clipă.',
    missing: 'Această pagină se deschide din linkul primit pe e-mail.',
    again: 'Cere un link nou',
    retry: 'Încearcă din nou',
    other: 'Folosește altă adresă',
    notAsked:
      'Acest browser nu a cerut acest link. Continuă numai dacă l-ai cerut din altă parte, iar adresa este a ta.',
    notYou: 'Nu ai cerut asta? Închide pagina și folosește „Nu am fost eu” din e-mail.',
  },
})
