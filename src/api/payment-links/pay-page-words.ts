import type { Language } from '../../domain/languages.ts'

// A no-break hyphen, \u2011, keeps "e-mail" on one line. The web app's way takes markup (web/src/unbroken-words.ts).
const english = {
  ownName: 'English',
  locale: 'en-GB',
  paymentRequest: 'Payment request',
  asks: 'asks you to pay',
  askedFor: 'for',
  asksWithoutName: 'You are asked to pay',
  amount: 'Amount',
  description: 'Description',
  from: 'From',
  reference: 'Reference',
  validUntil: 'Valid until',
  about: 'about',
  showIn: 'Show in',
  bankRate: (date: string, rate: string) => `${rate} on ${date}, National Bank of Romania`,
  sampleRate: (rate: string) => `Sample rate, not a real one: ${rate}`,
  noRate: (currency: string) => `There is no current exchange rate for ${currency}.`,
  unverified: 'Unverified requester.',
  unverifiedWhy:
    'Nobody has confirmed the e\u2011mail address behind this request. The name and the description may be false.',
  unverifiedSummary: 'From an unverified requester. Pay only if you know who is asking.',
  summary: (name: string, money: string) => `${name} asks for ${money}.`,
  summaryWithoutName: (money: string) => `Payment request for ${money}.`,
  how: 'This page takes no payment. Pay the way you agreed with the requester.',
  howWithReference: 'This page takes no payment. Pay the way you agreed with the requester, and state the reference.',
  care: 'Pay only if you know who is asking and what for.',
  states: {
    ended: ['This payment link is inactive', 'It can no longer be paid. Ask the requester if you expected to pay.'],
    expired: ['This payment link has expired', 'It can no longer be paid. Ask the requester for a new one.'],
    held: ['This payment link is on hold', 'It cannot be paid now. Ask the person who sent it to you.'],
    unknown: [
      'Payment link not found',
      'No payment link has this address. Check it with the person who sent it to you.',
    ],
    malformed: [
      'This address is not complete',
      'It may have been cut off or changed on its way. Ask the person who sent it to you for the whole link.',
    ],
    failed: ['This page cannot be shown right now', 'The payment link itself is not affected. Try again in a moment.'],
  },
  retry: 'Try again',
} as const

type Texts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : Texts<T[K]>
}

const romanian: Texts<typeof english> = {
  ownName: 'Română',
  locale: 'ro-RO',
  paymentRequest: 'Cerere de plată',
  asks: 'îți cere să plătești',
  askedFor: 'pentru',
  asksWithoutName: 'Ți se cere să plătești',
  amount: 'Sumă',
  description: 'Descriere',
  from: 'De la',
  reference: 'Referință',
  validUntil: 'Valabil până la',
  about: 'aproximativ',
  showIn: 'Arată în',
  bankRate: (date, rate) => `Cursul BNR din ${date}: ${rate}`,
  sampleRate: (rate) => `Curs de exemplu, nu unul real: ${rate}`,
  noRate: (currency) => `Nu există un curs de schimb actual pentru ${currency}.`,
  unverified: 'Solicitant neverificat.',
  unverifiedWhy:
    'Nimeni nu a confirmat adresa de e\u2011mail din spatele acestei cereri. Numele și descrierea pot fi false.',
  unverifiedSummary: 'De la un solicitant neverificat. Plătește doar dacă știi cine îți cere banii.',
  summary: (name, money) => `${name} cere ${money}.`,
  summaryWithoutName: (money) => `Cerere de plată pentru ${money}.`,
  how: 'Pe această pagină nu se poate plăti. Plătește așa cum ai stabilit cu solicitantul.',
  howWithReference:
    'Pe această pagină nu se poate plăti. Plătește așa cum ai stabilit cu solicitantul și menționează referința.',
  care: 'Plătește doar dacă știi cine îți cere banii și pentru ce.',
  states: {
    ended: [
      'Acest link de plată este inactiv',
      'Nu mai poate fi plătit. Dacă trebuia să plătești, întreabă solicitantul.',
    ],
    expired: ['Acest link de plată a expirat', 'Nu mai poate fi plătit. Cere\u2011i solicitantului unul nou.'],
    held: ['Acest link de plată este suspendat', 'Nu poate fi plătit acum. Întreabă persoana care ți l\u2011a trimis.'],
    unknown: [
      'Link de plată negăsit',
      'La această adresă nu există niciun link de plată. Verifică adresa cu persoana care ți\u2011a trimis\u2011o.',
    ],
    malformed: [
      'Adresa nu este completă',
      'Poate a fost tăiată sau modificată pe drum. Cere\u2011i persoanei care ți\u2011a trimis\u2011o linkul întreg.',
    ],
    failed: [
      'Pagina nu poate fi afișată acum',
      'Linkul de plată nu este afectat. Încearcă din nou peste câteva momente.',
    ],
  },
  retry: 'Încearcă din nou',
}

export type PayPageWords = Texts<typeof english>

export const wordsIn = (language: Language): PayPageWords => (language === 'ro' ? romanian : english)
