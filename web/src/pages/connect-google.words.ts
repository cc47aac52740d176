import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Connect Google',
    lead: 'Choose the Google account to sign in with. Its address can differ from your address here, and e-mail links keep working.',
    connecting: 'Connecting…',
    blocked:
      'Google’s button could not be loaded. An extension or the network may block accounts.google.com: allow it, then try again. You can always sign in with an e-mail link.',
    refused: 'Google does not allow this inside an app. Open this page in your browser.',
    missing: 'Google sign-in is not set up here. Sign in with an e-mail link.',
    retry: 'Try again',
    back: 'Back to the profile',
  },
  ro: {
    title: 'Conectează Google',
    lead: 'Alege contul Google cu care vrei să te autentifici. Poate avea altă adresă decât contul tău de aici, iar linkurile pe e-mail funcționează în continuare.',
    connecting: 'Se conectează…',
    blocked:
      'Butonul Google nu a putut fi încărcat. Poate că o extensie sau rețeaua blochează accounts.google.com: permite-l, apoi încearcă din nou. Te poți autentifica oricând cu un link pe e-mail.',
    refused: 'Google nu permite acest lucru într-o aplicație. Deschide pagina în browser.',
    missing: 'Autentificarea cu Google nu este configurată aici. Folosește un link pe e-mail.',
    retry: 'Încearcă din nou',
    back: 'Înapoi la profil',
  },
})
