import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { textsOf } from '../../scripts/docs/build-docs.ts'
import { assertReachedByKeyboard, problemsOf } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const { navigation } = textsOf(join(import.meta.dirname, '../..'))
const paths = navigation.flatMap(({ pages }) => pages).map(([path]) => path)

/** One page of each kind: commands with answers, operations, tables, none. */
const kinds = ['/docs/quick-start', '/docs/api/payment-links', '/docs/settings', '/docs/nope']

// A string, because it runs in the browser. The layout of a page that is loaded does not shift.
const SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 100)
})`

for (const look of [
  { colorScheme: 'light', width: 1180 },
  { colorScheme: 'dark', width: 360 },
] as const) {
  test(`pages of every kind are accessible and do not shift, ${look.colorScheme}, ${look.width} pixels wide`, async () => {
    const { page } = await web.openPage(look)
    const problems: string[] = []
    for (const path of kinds) {
      await page.goto(path)
      problems.push(...(await problemsOf(page, path)))
      const shift = await page.evaluate<number>(SHIFT)
      if (shift >= 0.02) problems.push(`${path} shifts by ${shift}`)
    }
    await page.goto('/docs/api/events')
    if (look.width < 600) {
      await page.getByRole('button', { name: 'Menu' }).click()
      problems.push(...(await problemsOf(page, 'the menu')))
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Search' }).click()
    for (const query of ['', 'key', 'xyzzy']) {
      await page.getByRole('combobox').fill(query)
      await page.getByText({ '': 'Find an operation', key: '12 results', xyzzy: 'No results' }[query] ?? '').waitFor()
      problems.push(...(await problemsOf(page, `the search for “${query}”`)))
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
    // An unstyled page had its style refused by the policy.
    assert.equal(await page.evaluate('getComputedStyle(document.body).display'), 'grid', path)
  }
  await assertClean()
  const loaded = [...asked].filter((path) => !paths.includes(path)).map((path) => path.replace(/-[\w-]{8}\./, '.'))
  const assets = ['docs.css', 'docs.js', 'icon.svg', 'search.json', 'theme.js']
  assert.deepEqual(
    loaded.toSorted(),
    assets.map((name) => `/docs/assets/${name}`),
  )
})

test('the search opens with `/`, is used by keyboard alone, and works when the network is gone', async () => {
  const { page, context, assertClean } = await web.openPage()
  const isLoaded = page.waitForResponse(/\/docs\/assets\/search-/)
  await page.goto('/docs/quick-start')
  await (await isLoaded).finished()
  await context.setOffline(true)
  await page.keyboard.press('/')
  const input = page.getByRole('combobox', { name: 'Search the documentation' })
  assert.equal(await input.inputValue(), '')
  await page.keyboard.type('rèvoke key')
  const chosen = page.getByRole('option', { selected: true })
  await chosen.getByText('Revoke an API key', { exact: true }).waitFor()
  const activeText = () =>
    page.evaluate<string>(
      'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.querySelector("strong").textContent',
    )
  assert.equal(await activeText(), 'Revoke an API key')
  const second = await page.getByRole('option').nth(1).locator('small').textContent()
  await page.keyboard.press('ArrowDown')
  assert.equal(await chosen.locator('small').textContent(), second)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.getByRole('option').last().getAttribute('aria-selected'), 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  assert.equal(await input.isVisible(), false)
  assert.equal(new URL(page.url()).pathname, '/docs/quick-start')
  await context.setOffline(false)
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/api/api-keys#revoke-an-api-key')
  await assertClean()
})

test('the search is loaded ahead on a page that is never idle too', async () => {
  const { page, assertClean } = await web.openPage()
  await page.addInitScript(
    'setInterval(() => { for (const endMs = performance.now() + 60; performance.now() < endMs; ); })',
  )
  const isLoaded = page.waitForResponse(/\/docs\/assets\/search-/, { timeout: 10_000 })
  await page.goto('/docs/quick-start')
  await isLoaded
  await assertClean()
})

test('a copy button copies the code as it is shown and says so', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/docs/api/payment-links')
  await page.getByRole('button', { name: 'Copy curl, Create a payment link' }).click()
  await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(copied, /^curl http:\/\/localhost:\d+\/api\/v1\/payment-links \\\n[^]*\n\}'$/)
  assert.ok(copied.startsWith(`curl ${web.origin}/`))
  await assertClean()
})

test('old addresses lead to their content, the theme of the web app is kept, and paper is light and wide enough', async () => {
  const { page, context, assertClean } = await web.openPage({ colorScheme: 'light' })
  await page.goto('/docs')
  assert.equal(new URL(page.url()).pathname, '/docs/quick-start')
  await page.goto('/docs#rotate-the-secret-of-an-api-key')
  await page.waitForURL('**/docs/api/api-keys#rotate-the-secret-of-an-api-key')
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await context.addCookies([{ name: 'theme', value: 'dark', url: web.origin }])
  await page.reload()
  const dark = await background()
  assert.notEqual(dark, light)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await background(), light)
  // Landscape, and portrait on A4.
  for (const width of [1100, 718]) {
    await page.setViewportSize({ width, height: 800 })
    const main = await page.locator('main').boundingBox()
    assert.ok(main && main.width > width - 100, `${main?.width} of ${width} pixels`)
    const clipped = `[...document.querySelectorAll('pre, .table')].filter((each) => each.scrollWidth > each.clientWidth)`
    assert.equal(await page.evaluate(`${clipped}.length`), 0, `${width} pixels`)
  }
  await page.emulateMedia({ media: 'screen' })
  await context.addCookies([{ name: 'theme', value: 'system', url: web.origin }])
  await page.reload()
  assert.equal(await background(), light)
  await assertClean()
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
  await page.getByRole('link', { name: 'Next Assistants (MCP)' }).click()
  await page.waitForURL('**/docs/agents')
  await assertClean()
})
