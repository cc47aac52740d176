import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Connect Google',
    lead: 'Choose the Google account to sign in with from now on. Its address may differ from that of your account here; e-mail links keep working.',
    connecting: 'Connecting…',
    blocked:
      'Google’s button could not be loaded. An extension or the network may block accounts.google.com: allow it, then try again. You can always sign in with an e-mail link.',
    refused: 'Google does not allow this inside an app. Open this page in your browser.',
    missing: 'Google is not offered here. Sign in with an e-mail link.',
    retry: 'Try again',
    back: 'Back to the profile',
  },
  ro: {
    title: 'Conectează Google',
    lead: 'Alege contul Google cu care vrei să te autentifici de acum înainte. Poate avea altă adresă decât contul tău de aici; linkurile pe e-mail funcționează în continuare.',
    connecting: 'Se conectează…',
    blocked:
      'Butonul Google nu a putut fi încărcat. Poate că o extensie sau rețeaua blochează accounts.google.com: permite-l, apoi încearcă din nou. Te poți autentifica oricând cu un link pe e-mail.',
    refused: 'Google nu permite asta în interiorul unei aplicații. Deschide pagina în browser.',
    missing: 'Google nu este disponibil aici. Autentifică-te cu un link pe e-mail.',
    retry: 'Încearcă din nou',
    back: 'Înapoi la profil',
  },
})
