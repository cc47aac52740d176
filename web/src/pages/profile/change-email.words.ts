import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    change: 'Change',
    changeEmail: 'Change your e-mail address',
    title: 'Change your e-mail address',
    newEmail: 'New e-mail address',
    happens: [
      'The new address gets a link, which works once, for ten minutes. Open it in this browser.',
      'Your present address gets a notice now, and once more when it has changed. It can undo the change for seven days.',
      'Every other browser is signed out then, and Google is disconnected. API keys keep working.',
    ],
    emailInvalid: 'Enter a full e-mail address, for example ana@example.com.',
    emailSame: 'This is your address already. Enter the new one.',
    send: 'Send the link',
    sending: 'Sending…',
    cancel: 'Cancel',
    sentTitle: 'Check the new inbox',
    sent: (email: string) =>
      ['If ', email, ' can be used, a link is on its way. Open it in this browser within ten minutes.'] as const,
    unchanged: 'Until then, nothing changes. Signing out ends the change.',
    done: 'Done',
  },
  ro: {
    change: 'Schimbă',
    changeEmail: 'Schimbă-ți adresa de e-mail',
    title: 'Schimbă-ți adresa de e-mail',
    newEmail: 'Noua adresă de e-mail',
    happens: [
      'Noua adresă primește un link, care funcționează o singură dată, timp de zece minute. Deschide-l în acest browser.',
      'Adresa actuală este anunțată acum și încă o dată după schimbare. De la ea poți anula schimbarea timp de șapte zile.',
      'La schimbare, toate celelalte browsere sunt deconectate, iar Google la fel. Cheile API rămân active.',
    ],
    emailInvalid: 'Scrie o adresă de e-mail completă, de exemplu ana@example.com.',
    emailSame: 'Aceasta este deja adresa ta. Scrie-o pe cea nouă.',
    send: 'Trimite linkul',
    sending: 'Se trimite…',
    cancel: 'Renunță',
    sentTitle: 'Verifică noua căsuță',
    sent: (email: string) =>
      ['Dacă ', email, ' poate fi folosită, linkul e pe drum. Deschide-l în acest browser în zece minute.'] as const,
    unchanged: 'Până atunci nu se schimbă nimic. Dacă te deconectezi, schimbarea se anulează.',
    done: 'Gata',
  },
})
