/** Polls until the condition holds; rejects after `withinMs`, by default a minute. */
export async function until(condition: () => unknown, what = 'the condition', withinMs = 60_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await condition());) {
    if (performance.now() > deadline) throw new Error(`timed out waiting: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
