/** How often others get a turn of the event loop while something is done. */

/** Counts the turns of the event loop until `work` is done; work that never yields leaves none, or very few. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
  })()
  await work()
  isDone = true
  await counting
  return turns
}
