/** Messages for people, by the API's error codes. */
import { inSeconds } from './time.ts'

type Words = Readonly<{
  byCode: Readonly<Record<string, (seconds: number) => string>>
  other(requestId: string | null): string
}>

const en: Words = {
  byCode: {
    UNREACHABLE: () => 'The service could not be reached. Check your connection and try again.',
    UNAVAILABLE: () => 'The service is not available at the moment. Try again shortly.',
    RATE_LIMITED: (seconds) => `Too many attempts. Try again in ${inSeconds(seconds)}.`,
    VALIDATION_FAILED: () => 'The input is not valid. Check it and try again.',
    LINK_INVALID: () => 'This link was used already, or has expired.',
    EMAIL_NOT_VERIFIED: () =>
      'Google has not verified this address. Sign in with an e-mail link, then connect Google on your profile.',
    SIGN_IN_REQUIRED: () => 'For your safety, this needs a sign-in from the last ten minutes.',
    SIGNUP_CLOSED: () => 'New accounts are closed here. If you have an account, use its address.',
    KEY_LIMIT_REACHED: () => 'This account has reached its limit of live API keys. Revoke one first.',
    PAYMENT_LINK_LIMIT_REACHED: () => 'This account has reached its limit of payment links. Ask support to raise it.',
    KEY_NOT_ACTIVE: () => 'This key is no longer active.',
    NOT_FOUND: () => 'It no longer exists. Go back to the list.',
    GOOGLE_ALREADY_CONNECTED: () =>
      'Another Google account is already connected, or this one is connected to another account here.',
    GOOGLE_CREDENTIAL_INVALID: () => 'The answer from Google was not valid or came too late. Try again.',
    GOOGLE_UNAVAILABLE: () => 'Google cannot be reached at the moment. Use the e-mail link instead.',
    GOOGLE_NOT_CONFIGURED: () => 'Google is not offered here. Use the e-mail link.',
    OAUTH_DENIED: () => 'The sign-in with Google was cancelled.',
    OAUTH_STATE_INVALID: () => 'The sign-in with Google took too long or was started in another browser. Start again.',
    ORIGIN_NOT_ALLOWED: () =>
      'The service refused the request because of how this page was opened. Open the page again and retry.',
  },
  other: (requestId) =>
    `Something went wrong on our side. Try again${requestId === null ? '' : `; if it happens again, give support the request id ${requestId}`}.`,
}

const ro: Words = {
  byCode: {
    UNREACHABLE: () => 'Serviciul nu a putut fi contactat. Verifică conexiunea și încearcă din nou.',
    UNAVAILABLE: () => 'Serviciul nu poate răspunde chiar acum. Încearcă din nou peste câteva clipe.',
    RATE_LIMITED: (seconds) => `Prea multe încercări. Încearcă din nou peste ${inSeconds(seconds)}.`,
    VALIDATION_FAILED: () => 'Ceva nu are forma potrivită. Verifică și încearcă din nou.',
    LINK_INVALID: () => 'Acest link a fost deja folosit sau a expirat.',
    EMAIL_NOT_VERIFIED: () =>
      'Google nu garantează pentru această adresă. Intră cu un link primit pe e-mail, apoi conectează Google din profil.',
    SIGN_IN_REQUIRED: () => 'Pentru siguranța ta, este nevoie de o autentificare din ultimele zece minute.',
    SIGNUP_CLOSED: () => 'Aici nu se fac conturi noi. Dacă ai un cont, folosește adresa lui.',
    KEY_LIMIT_REACHED: () => 'Ai numărul maxim de chei active. Revocă una mai întâi.',
    PAYMENT_LINK_LIMIT_REACHED: () =>
      'Contul a atins limita de linkuri de plată. Cere echipei de suport să o mărească.',
    KEY_NOT_ACTIVE: () => 'Această cheie nu mai este activă.',
    NOT_FOUND: () => 'Nu mai există. Întoarce-te la listă.',
    GOOGLE_ALREADY_CONNECTED: () => 'Este conectat deja un alt cont Google, sau acesta aparține altui cont de aici.',
    GOOGLE_CREDENTIAL_INVALID: () =>
      'Ce a venit de la Google nu a fost valid sau a venit prea târziu. Încearcă din nou.',
    GOOGLE_UNAVAILABLE: () => 'Google nu poate fi contactat acum. Folosește linkul pe e-mail.',
    GOOGLE_NOT_CONFIGURED: () => 'Google nu este disponibil aici. Folosește linkul pe e-mail.',
    OAUTH_DENIED: () => 'Autentificarea cu Google a fost anulată.',
    OAUTH_STATE_INVALID: () =>
      'Autentificarea cu Google a durat prea mult sau a început în alt browser. Ia-o de la capăt.',
    ORIGIN_NOT_ALLOWED: () =>
      'Pagina a fost deschisă într-un mod care nu permite asta. Deschide-o din nou și reîncearcă.',
  },
  other: (requestId) =>
    `A apărut o problemă la noi. Încearcă din nou${requestId === null ? '' : `; dacă persistă, comunică ${requestId} echipei de suport`}.`,
}

export const errorWords = { en, ro }
