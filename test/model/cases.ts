/** How much is tried: more by the environment, and the same again by a seed that a failure printed. */

/** About how many requests each of the runs makes in all. */
export const CASES = Number(process.env['FUZZ_CASES'] ?? 2000)

const seed = process.env['FUZZ_SEED']

/** For fast-check: the seed to repeat, which a failure prints; and whether to look for a shorter failure. */
export const RUN: Readonly<{ seed?: number; endOnFailure: boolean }> = {
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  endOnFailure: process.env['FUZZ_SHRINK'] === 'off',
}
