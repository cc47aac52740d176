/** The words of the page that a payment link leads to. */
import { inLanguage } from '../language.ts'

/** In the language in use. */
export const words = inLanguage({
  en: {
    title: 'Payment',
    looking: 'Looking for this payment link…',
    unknown: 'There is no such payment link. Check the address with whoever sent it.',
    retry: 'Try again',
    status: {
      ACTIVE: 'This payment link is open.',
      INACTIVE: 'This payment link can no longer be paid.',
      EXPIRED: 'The time to pay this is over.',
    },
    care: 'Pay only what you expect to pay, to somebody you know.',
  },
  ro: {
    title: 'Plată',
    looking: 'Căutăm acest link de plată…',
    unknown: 'Nu există un astfel de link de plată. Verifică adresa cu cel care ți-a trimis-o.',
    retry: 'Încearcă din nou',
    status: {
      ACTIVE: 'Acest link de plată este deschis.',
      INACTIVE: 'Acest link nu mai poate fi plătit.',
      EXPIRED: 'Termenul de plată a trecut.',
    },
    care: 'Plătește doar ce te aștepți să plătești, cuiva pe care îl cunoști.',
  },
})
