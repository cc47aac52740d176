/**
 * Exchange rates for a development start without the Internet. Answers mark them as `SAMPLE`. Their day is a bank
 * holiday: no real rate has it.
 */
export const sampleRates = {
  EUR: { ronPerUnit: '5', date: '2026-01-01', isSample: true },
  GBP: { ronPerUnit: '6', date: '2026-01-01', isSample: true },
} as const
