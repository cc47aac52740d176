/** Text between backticks is shown as code. */
import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Quick start',
    lead: 'For programs and agents: a first working call in three steps. You take the first step only once.',
    tool: 'Show the commands in',
    keyTitle: '1. Get a key',
    key: 'One call creates an account and its first key. Only its answer shows `keySecret`: store it like a password. The owner of the address gets a mail and can confirm the account at any time.',
    closed: 'New accounts are closed here: create a key in an existing account.',
    haveAccount: 'Do you already have an account? Then create the key under',
    apiAccess: 'API Access',
    signup: 'Sign up in one call',
    environmentText: 'Put both values where your program finds them:',
    environment: 'Keep the key in the environment',
    exchangeTitle: '2. Exchange it for a token',
    exchange:
      'A token works for an hour (`expiresInSeconds`). Use it for many calls; exchange again when it has expired.',
    exchangeLabel: 'Exchange the key',
    callTitle: '3. Call',
    call: 'Send the token with every call. `X-Currency` is `RON` (when absent), `EUR` or `GBP`, and comes back in the answer.',
    callLabel: 'Call with the token',
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
        'Under API Access, or `POST /auth/api-keys/:id/revoke`: the key and every token that came from it stop at once.',
      ],
      [
        'A lost secret',
        'Cannot be shown again: rotate the key. The `keyId` stays, and with `graceSeconds` the old secret works while you deploy the new one.',
      ],
    ] as readonly (readonly [string, string])[],
    rotate: 'Rotate the key',
    agentsTitle: 'For agents',
    agents:
      'You need no browser and no page of ours. Sign up with the address of the person you work for, keep the key in their secret store, never in a prompt or a log, and create one key for each task so that each can be revoked alone. Every endpoint, with its limits and errors, is described for machines:',
    docs: 'The whole documentation, with the API reference',
  },
  ro: {
    title: 'Primii pași',
    lead: 'Pentru programe și agenți: de la nimic la un apel care funcționează, în trei pași. Doar primul se face o singură dată.',
    tool: 'Arată comenzile în',
    keyTitle: '1. Obține o cheie',
    key: 'Un singur apel face un cont și prima lui cheie. Răspunsul este singurul loc unde apare vreodată `keySecret`: păstrează-l ca pe o parolă. Titularul adresei primește un mesaj și poate confirma contul oricând.',
    closed: 'Aici nu se fac conturi noi: creează o cheie într-un cont pe care îl ai.',
    haveAccount: 'Ai deja un cont? Atunci creează cheia în',
    apiAccess: 'Acces API',
    signup: 'Înscriere într-un singur apel',
    environmentText: 'Pune ambele valori unde le găsește programul tău:',
    environment: 'Cheia în variabile de mediu',
    exchangeTitle: '2. Schimb-o pe un token',
    exchange:
      'Un token funcționează o oră (`expiresInSeconds`). Folosește-l pentru mai multe apeluri; fă schimbul din nou după ce expiră.',
    exchangeLabel: 'Schimbul cheii',
    callTitle: '3. Apelează',
    call: 'Trimite tokenul la fiecare apel. `X-Currency` este `RON` (când lipsește), `EUR` sau `GBP` și revine în răspuns.',
    callLabel: 'Apelul cu token',
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
        'În Acces API sau cu `POST /auth/api-keys/:id/revoke`: cheia și toate tokenurile obținute cu ea se opresc imediat.',
      ],
      [
        'Un secret pierdut',
        'Nu mai poate fi arătat: rotește cheia. `keyId` rămâne, iar cu `graceSeconds` secretul vechi funcționează cât îl instalezi pe cel nou.',
      ],
    ] as readonly (readonly [string, string])[],
    rotate: 'Rotirea cheii',
    agentsTitle: 'Pentru agenți',
    agents:
      'Nu ai nevoie de browser și de nicio pagină de-a noastră. Înscrie-te cu adresa persoanei pentru care lucrezi, ține cheia în seiful ei de secrete, niciodată într-un prompt sau într-un jurnal, și fă câte o cheie pentru fiecare sarcină, ca fiecare să poată fi revocată separat. Toate endpointurile, cu limitele și erorile lor, sunt descrise pentru mașini:',
    docs: 'Toată documentația, cu referința API (în engleză)',
  },
})
