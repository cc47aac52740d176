/** How long work takes when nothing else is in its way. */

/** The shortest of three runs, in milliseconds: a busy machine makes some longer, and none shorter. */
export function quickest(work: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.min(...runs)
}
