/** How much is tried: more by the environment, and the same again by a seed that a failure printed. */

/** About how many requests each of the runs makes in all. */
export const CASES = Number(process.env['FUZZ_CASES'] ?? 2000)

// The same each time unless asked otherwise: a change is judged by what it changed. `random` looks further.
const seed = process.env['FUZZ_SEED'] ?? '1'

/** For fast-check: the seed to repeat, which a failure prints; and whether to look for a shorter failure. */
export const RUN: Readonly<{
  seed?: number
  endOnFailure: boolean
  interruptAfterTimeLimit: number
  markInterruptAsFailure: boolean
}> = {
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  endOnFailure: process.env['FUZZ_SHRINK'] === 'off',
  // Looking for the shortest of a failure with texts of 9000 characters would never end.
  interruptAfterTimeLimit: 60_000 + 100 * CASES,
  markInterruptAsFailure: true,
}
