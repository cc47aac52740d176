import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    missing: 'This page is opened by a link in a mail.',
    invalid: 'This button is unknown, or has expired: it works for seven days.',
    signIn: 'Sign in',
    notMe: {
      title: 'This wasn’t you?',
      text: [
        'If you confirm, the sign-in links sent to you stop working.',
        'If somebody used the link in that mail or created the API keys it mentions, your account is signed out everywhere, and those keys stop working until you keep them.',
        'After that you get at most one mail a day that others can trigger.',
      ],
      act: 'This wasn’t me',
      doneTitle: 'Your address is safe',
      done: 'Done. You can still sign in: the next mail you get also offers to lift the pause.',
    },
    resume: {
      title: 'Get every mail again?',
      text: ['You pressed “This wasn’t me” in a mail. Since then we send you at most one mail a day.'],
      act: 'Get every mail again',
      doneTitle: 'You get every mail again',
      done: 'Done. You can request a sign-in link now.',
    },
  },
  ro: {
    missing: 'Această pagină se deschide dintr-un link primit pe e-mail.',
    invalid: 'Acest buton este necunoscut sau a expirat: funcționează șapte zile.',
    signIn: 'Autentificare',
    notMe: {
      title: 'Nu ai fost tu?',
      text: [
        'Spune-ne, iar linkurile de autentificare trimise nu mai funcționează.',
        'Dacă cineva a folosit linkul din acel mesaj sau a făcut cheile API despre care scrie, contul tău este deconectat de peste tot, iar acele chei așteaptă până le permiți.',
        'După aceea primești cel mult un mesaj pe zi dintre cele pe care le pot provoca alții.',
      ],
      act: 'Nu am fost eu',
      doneTitle: 'Adresa ta este în siguranță',
      done: 'Gata. Te poți autentifica în continuare: următorul mesaj îți oferă și ridicarea pauzei.',
    },
    resume: {
      title: 'Primești din nou toate mesajele?',
      text: ['Ai spus că un mesaj nu era al tău. De atunci îți trimitem un singur mesaj pe zi.'],
      act: 'Vreau din nou toate mesajele',
      doneTitle: 'Primești din nou toate mesajele',
      done: 'Gata. Poți cere acum un link de autentificare.',
    },
  },
})
