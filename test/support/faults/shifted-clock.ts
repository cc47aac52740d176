/** Loaded first into a process by `shiftedBy`: shifts its wall clock. */

// Unset in the test's own process, which imports this file too.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)
const now = Date.now.bind(Date)
Date.now = () => now() + shiftMs

/** Settings for `serveIn`: a process whose clock is ahead by this, or behind if negative. */
export function shiftedBy(milliseconds: number): Record<string, string> {
  return { CLOCK_SHIFT_MS: String(milliseconds), NODE_OPTIONS: `--import=${import.meta.url}` }
}
