/** Approximate number of requests per run. */
export const CASES = Number(process.env['FUZZ_CASES'] ?? 1000)

// Fixed by default, so that a failure is caused by the change under test. `random` explores further.
const seed = process.env['FUZZ_SEED'] ?? '1'

/** Parameters for fast-check. A failure prints its seed; FUZZ_SHRINK=off skips the search for a shorter one. */
export const RUN: Readonly<{
  seed?: number
  endOnFailure: boolean
  interruptAfterTimeLimit: number
  markInterruptAsFailure: boolean
}> = {
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  endOnFailure: process.env['FUZZ_SHRINK'] === 'off',
  // Shrinking texts of 9000 characters would not end.
  interruptAfterTimeLimit: 60_000 + 100 * CASES,
  markInterruptAsFailure: true,
}
