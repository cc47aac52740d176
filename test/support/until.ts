/** Waiting for what comes true by itself. */

/** Resolves when the condition holds, which is asked again and again; fails after a minute, or as many milliseconds as are given. */
export async function until(condition: () => unknown, what = 'the condition', withinMs = 60_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await condition());) {
    if (performance.now() > deadline) throw new Error(`${what} did not come true`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
