/** Counts the event loop's turns until `work` is done; work that never yields leaves none, or very few. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const done = new AbortController()
  let turns = 0
  const counting = (async () => {
    while (!done.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
  })()
  await work().finally(() => done.abort())
  await counting
  return turns
}
