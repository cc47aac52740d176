import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { navigation } from '../../scripts/docs/pages.ts'
import { assertReachedByKeyboard, problemsOf } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const paths = navigation.flatMap(({ pages }) => pages).map(([path]) => path)

/** One page of each kind: commands with answers, long text, many headings, tables, an index, none. */
const kinds = ['/docs/quick-start', '/docs', '/docs/errors', '/docs/operations', '/docs/decisions', '/docs/nope']

for (const look of [
  { colorScheme: 'light', width: 1180 },
  { colorScheme: 'dark', width: 390 },
] as const) {
  test(`pages of every kind are accessible, ${look.colorScheme}, ${look.width} pixels wide`, async () => {
    const { page } = await web.openPage(look)
    const problems: string[] = []
    for (const path of kinds) {
      await page.goto(path)
      problems.push(...(await problemsOf(page, path)))
    }
    assert.deepEqual(problems, [])
  })
}

test('no page requests another origin or violates its policy', async () => {
  const { page, assertClean } = await web.openPage()
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  for (const path of paths) {
    const answer = await page.goto(path)
    assert.equal(answer?.status(), 200, path)
    assert.equal(await page.evaluate('document.scripts.length'), 0, path)
    // An unstyled page had its style refused by the policy.
    assert.equal(await page.evaluate('getComputedStyle(document.body).display'), 'grid', path)
  }
  await assertClean()
  const loaded = [...asked].filter((path) => !paths.includes(path))
  assert.ok(loaded.length === 2 && loaded.every((path) => path.startsWith('/docs/assets/')), loaded.join())
})

test('the keyboard reaches everything, the skip link leads to the text, and a link leads to its heading', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/docs/quick-start')
  await assertReachedByKeyboard(page, 'the quick start')
  await page.goto('/docs/quick-start')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  await page.getByRole('link', { name: 'What to do' }).click()
  await page.waitForURL('**/docs/programs#the-answer-was-lost')
  assert.equal(await page.evaluate('document.querySelector(":target").textContent'), 'The answer was lost')
  await assertClean()
})
