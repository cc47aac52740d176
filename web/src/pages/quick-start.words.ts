/** Text between backticks is shown as code. */
import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Quick start',
    lead: 'From a key to a payment link in two steps: about five minutes.',
    keyTitle: '1. Get a key',
    key: 'A program signs in with a key: an id and a secret. Create one here and the program below contains it, ready to run.',
    create: 'Create a key and fill it in',
    signedOut: 'Sign in, and this page creates a key for you and fills it into the program below.',
    signIn: 'Sign in to create a key',
    filledTitle: (name: string) => `Your key “${name}”`,
    filled: (name: string) =>
      `“${name}” is filled in below. The secret is shown only now: store it before you leave this page.`,
    keyId: 'Key id',
    keySecret: 'Key secret',
    done: 'I have stored the secret',
    stored: (name: string) => `“${name}” is ready to use. Its secret is no longer on this page.`,
    callTitle: '2. Create a payment link',
    call: 'The program exchanges the key for a token and creates a payment link with it. TypeScript uses our client; the others need only their standard library. In production, read the key from a secret store or the environment.',
    knowTitle: 'Good to know',
    know: [
      [
        'A 401 with `UNAUTHORIZED`',
        'The token has expired or was revoked. Exchange the key once more and repeat the call; if the exchange is refused too, the key no longer works.',
      ],
      [
        'Errors',
        'Always `{ "error": { "message", "code" } }`: decide by `code`, show `message`. The header `X-Request-Id` identifies the call to support.',
      ],
      [
        'Rate limits',
        '`RateLimit-Policy` and `RateLimit` say what is allowed and what is left. After a 429, wait the seconds of `Retry-After`.',
      ],
      [
        'Revoking',
        '`POST /auth/api-keys/:id/revoke` stops the key and every token that came from it at once. To do it by hand:',
        'API access in your profile',
      ],
      [
        'A lost secret',
        'Cannot be shown again: rotate the key. The `keyId` stays, and with `graceSeconds` the old secret works while you deploy the new one.',
      ],
    ] as readonly (readonly [name: string, text: string, profileLink?: string])[],
    rotate: 'Rotate the key',
    signupText:
      'One call creates an account and its first key. Only its answer shows `keySecret`. The owner of the address gets an e-mail and can confirm the account at any time.',
    signup: 'Sign up in one call',
    closed: 'New accounts are closed here: create a key in an existing account.',
    agentsTitle: 'For agents',
    agents:
      'You need no browser and no page of ours. Sign up with the address of the person you work for, keep the key in their secret store, never in a prompt or a log, and create one key for each task so that each can be revoked alone. Every endpoint, with its limits and errors, is described for machines:',
    docs: 'The whole documentation, with the API reference',
  },
  ro: {
    title: 'Ghid rapid',
    lead: 'De la o cheie la un link de plată, în doi pași: cam cinci minute.',
    keyTitle: '1. Obține o cheie',
    key: 'Un program se autentifică cu o cheie: un ID și un secret. Creează una aici, iar programul de mai jos o conține, gata de rulat.',
    create: 'Creează o cheie și completeaz-o',
    signedOut: 'Autentifică-te, iar pagina îți creează o cheie și o completează în programul de mai jos.',
    signIn: 'Autentifică-te ca să creezi o cheie',
    filledTitle: (name: string) => `Cheia ta „${name}”`,
    filled: (name: string) =>
      `„${name}” este completată mai jos. Secretul apare doar acum: păstrează-l înainte să pleci de pe pagină.`,
    keyId: 'ID-ul cheii',
    keySecret: 'Secretul cheii',
    done: 'Am păstrat secretul',
    stored: (name: string) => `„${name}” este gata de folosit. Secretul ei nu mai apare pe pagină.`,
    callTitle: '2. Creează un link de plată',
    call: 'Programul schimbă cheia pe un token și creează cu el un link de plată. TypeScript folosește clientul nostru; celelalte au nevoie doar de biblioteca standard. În producție, citește cheia dintr-un seif de secrete sau din variabilele de mediu.',
    knowTitle: 'Bine de știut',
    know: [
      [
        'Un 401 cu `UNAUTHORIZED`',
        'Tokenul a expirat sau a fost revocat. Schimbă cheia încă o dată și repetă apelul; dacă și schimbul este refuzat, cheia nu mai funcționează.',
      ],
      [
        'Erori',
        'Mereu `{ "error": { "message", "code" } }`: decide după `code`, arată `message`. Antetul `X-Request-Id` identifică apelul pentru suport.',
      ],
      [
        'Limite',
        '`RateLimit-Policy` și `RateLimit` spun ce este permis și ce a rămas. După un 429, așteaptă secundele din `Retry-After`.',
      ],
      [
        'Revocare',
        '`POST /auth/api-keys/:id/revoke` oprește imediat cheia și toate tokenurile obținute cu ea. Ca să o revoci manual:',
        'Acces API, în profilul tău',
      ],
      [
        'Un secret pierdut',
        'Nu mai poate fi arătat: rotește cheia. `keyId` rămâne, iar cu `graceSeconds` secretul vechi funcționează cât îl instalezi pe cel nou.',
      ],
    ] as readonly (readonly [name: string, text: string, profileLink?: string])[],
    rotate: 'Cum rotești o cheie',
    signupText:
      'Un singur apel creează un cont și prima lui cheie. Doar răspunsul lui arată `keySecret`. Titularul adresei primește un e-mail și poate confirma contul oricând.',
    signup: 'Înscriere într-un singur apel',
    closed: 'Aici nu se fac conturi noi: creează o cheie într-un cont pe care îl ai.',
    agentsTitle: 'Pentru agenți',
    agents:
      'Nu ai nevoie de browser și de nicio pagină de-a noastră. Înscrie-te cu adresa persoanei pentru care lucrezi, ține cheia în seiful ei de secrete, niciodată într-un prompt sau într-un jurnal, și fă câte o cheie pentru fiecare sarcină, ca fiecare să poată fi revocată separat. Toate endpointurile, cu limitele și erorile lor, sunt descrise într-un format citibil automat:',
    docs: 'Toată documentația, cu referința API (în engleză)',
  },
})
