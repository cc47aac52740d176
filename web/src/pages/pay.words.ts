import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'Payment',
    looking: 'Loading this payment link…',
    unknown: 'This payment link does not exist. Check the address with the person who sent it.',
    retry: 'Try again',
    status: {
      ACTIVE: 'This payment link is open.',
      INACTIVE: 'This payment link can no longer be paid.',
      EXPIRED: 'This payment link has expired.',
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
