/** Messages for people, by the API's error codes. */
import { inLanguage } from './language.ts'
import { inSeconds } from './time.ts'

type Words = Readonly<{
  byCode: Readonly<Record<string, (seconds: number) => string>>
  other(requestId: string | null): string
}>

const en: Words = {
  byCode: {
    UNREACHABLE: () => 'The service could not be reached. Check your connection and try again.',
    OTHER_USER: () => 'You have signed in to another account in this browser. Nothing was changed here.',
    UNAUTHORIZED: () => 'You are no longer signed in.',
    UNAVAILABLE: () => 'The service is not available at the moment. Try again shortly.',
    RATE_LIMITED: (seconds) => `Too many attempts. Try again in ${inSeconds(seconds)}.`,
    VALIDATION_FAILED: () => 'Something you entered is not valid. Check it and try again.',
    LINK_INVALID: () => 'This link has already been used or has expired.',
    EMAIL_NOT_VERIFIED: () =>
      'Google has not verified this address. Sign in with an e-mail link, then connect Google on your profile.',
    SIGN_IN_REQUIRED: () =>
      'For your security, sign in again with an e-mail link: your last sign-in is more than ten minutes old, or your address is not confirmed yet.',
    EMAIL_TAKEN: () => 'This address has an account here meanwhile. Delete that account first, or use another address.',
    SIGNUP_CLOSED: () => 'Sign-up is closed here. If you have an account, use its address.',
    KEY_LIMIT_REACHED: () => 'This account has reached its limit of live API keys. Revoke one first.',
    APP_LIMIT_REACHED: () => 'This account has reached its limit of connected apps. Disconnect one first.',
    CONSENT_ENDED: () => 'This request was already decided or has expired. Start again in the app.',
    PAYMENT_LINK_LIMIT_REACHED: () => 'This account has reached its limit of payment links. Ask support to raise it.',
    KEY_NOT_ACTIVE: () => 'This key is no longer active.',
    NOT_FOUND: () => 'This no longer exists. Reload the page.',
    GOOGLE_ALREADY_CONNECTED: () =>
      'Another Google account is already connected, or this one is connected to another account here.',
    GOOGLE_CREDENTIAL_INVALID: () => 'Google’s response was not valid or came too late. Try again.',
    GOOGLE_UNAVAILABLE: () => 'Google cannot be reached at the moment. Use an e-mail link instead.',
    GOOGLE_NOT_CONFIGURED: () => 'Google sign-in is not set up here. Use an e-mail link.',
    OAUTH_DENIED: () => 'The sign-in with Google was cancelled.',
    OAUTH_STATE_INVALID: () => 'The sign-in with Google took too long or was started in another browser. Start again.',
    ORIGIN_NOT_ALLOWED: () =>
      'The service refused the request because of how this page was opened. Open the page again and retry.',
  },
  other: (requestId) =>
    `Something went wrong on our side. Try again${requestId === null ? '' : `; if it happens again, send support the request id ${requestId}`}.`,
}

const ro: Words = {
  byCode: {
    UNREACHABLE: () => 'Serviciul nu a putut fi contactat. Verifică conexiunea și încearcă din nou.',
    OTHER_USER: () => 'Te-ai conectat cu alt cont în acest browser. Aici nu s-a schimbat nimic.',
    UNAUTHORIZED: () => 'Nu mai ești autentificat.',
    UNAVAILABLE: () => 'Serviciul nu este disponibil momentan. Încearcă din nou în scurt timp.',
    RATE_LIMITED: (seconds) => `Prea multe încercări. Încearcă din nou peste ${inSeconds(seconds)}.`,
    VALIDATION_FAILED: () => 'Datele introduse nu sunt valide. Verifică-le și încearcă din nou.',
    LINK_INVALID: () => 'Acest link a fost deja folosit sau a expirat.',
    EMAIL_NOT_VERIFIED: () =>
      'Google nu a verificat această adresă. Autentifică-te cu un link pe e-mail, apoi conectează Google din profil.',
    SIGN_IN_REQUIRED: () =>
      'Pentru siguranța ta, autentifică-te din nou cu un link pe e-mail: au trecut peste zece minute de la ultima autentificare sau adresa ta nu este încă confirmată.',
    EMAIL_TAKEN: () =>
      'Între timp această adresă are un cont aici. Șterge mai întâi acel cont sau folosește altă adresă.',
    SIGNUP_CLOSED: () => 'Aici nu se pot crea conturi noi. Dacă ai deja un cont, folosește adresa lui.',
    KEY_LIMIT_REACHED: () => 'Contul a atins limita de chei API active. Revocă una mai întâi.',
    APP_LIMIT_REACHED: () => 'Contul a atins limita de aplicații conectate. Deconectează una mai întâi.',
    CONSENT_ENDED: () => 'Cererea a fost deja decisă sau a expirat. Ia-o de la capăt în aplicație.',
    PAYMENT_LINK_LIMIT_REACHED: () =>
      'Contul a atins limita de linkuri de plată. Cere echipei de suport să o mărească.',
    KEY_NOT_ACTIVE: () => 'Această cheie nu mai este activă.',
    NOT_FOUND: () => 'Nu mai există. Reîncarcă pagina.',
    GOOGLE_ALREADY_CONNECTED: () =>
      'Un alt cont Google este deja conectat sau acesta este conectat la alt cont de aici.',
    GOOGLE_CREDENTIAL_INVALID: () =>
      'Răspunsul de la Google nu a fost valid sau a venit prea târziu. Încearcă din nou.',
    GOOGLE_UNAVAILABLE: () => 'Google nu poate fi contactat momentan. Folosește un link pe e-mail.',
    GOOGLE_NOT_CONFIGURED: () => 'Autentificarea cu Google nu este configurată aici. Folosește un link pe e-mail.',
    OAUTH_DENIED: () => 'Autentificarea cu Google a fost anulată.',
    OAUTH_STATE_INVALID: () =>
      'Autentificarea cu Google a durat prea mult sau a început în alt browser. Ia-o de la capăt.',
    ORIGIN_NOT_ALLOWED: () =>
      'Serviciul a refuzat cererea din cauza modului în care a fost deschisă pagina. Deschide-o din nou și reîncearcă.',
  },
  other: (requestId) =>
    `A apărut o eroare la noi. Încearcă din nou${requestId === null ? '' : `; dacă se repetă, trimite echipei de suport ID-ul cererii, ${requestId}`}.`,
}

export const errorWords = inLanguage({ en, ro })
