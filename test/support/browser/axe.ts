/**
 * axe in a page. `@axe-core/playwright` sends the unminified source, 1.5 MB, twice per check, which takes longer than the
 * check.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export async function violationsOf(page: Page, options: RunOptions): Promise<Result[]> {
  await page.evaluate(source)
  const run = { ...options, resultTypes: ['violations'] }
  return page.evaluate(`axe.run(document, ${JSON.stringify(run)}).then(({ violations }) => violations)`)
}
