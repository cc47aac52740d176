import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertReachedByKeyboard, settling } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, Web } from '../support/browser/web.ts'

/** The page has 50 links, the service reads 1,000 for a page of a search: the oldest link is on page 21. */
const LINKS = 1010
let web: Web

before(async () => {
  web = await startWeb({ RATE_LIMITS: 'off', EXCHANGE_RATES_URL: 'off' })
})
after(() => web.stop())

async function openLinks(token: string, look: Look = {}) {
  const opened = await web.openPage(look)
  const { page } = opened
  await page.goto('/healthz')
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  const settled = settling(page)
  await page.goto('/dashboard/payment-links')
  await settled()
  return { ...opened, rows: page.getByRole('table').locator('tbody tr') }
}

async function createByApi(token: string, body: object): Promise<any> {
  const { status, text, body: answer } = await web.callApi('POST /payment-links', { token, body })
  assert.equal(status, 201, text)
  return answer.paymentLink
}

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `Link ${n}.` }))

/** The queries of the list's calls from now on. */
function queriesOf(page: Page): string[] {
  const queries: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname === '/api/v1/payment-links') queries.push(search)
  })
  return queries
}

const announced = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()

test('a search finds a link of page 21 by its words, reference, id or address, with one call per pause in typing', async () => {
  const token = await web.signInWithGoogle('ana@gmail.com', 'Ana')
  web.storeLinks(token, [{ title: 'Ședință foto', reference: 'CTR-77/2026' }, ...many(LINKS - 1)])
  const { page, rows, assertClean } = await openLinks(token)
  await announced(page, 'The newest 50 payment links')
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await announced(page, 'The newest 100 payment links')
  assert.equal(await rows.nth(50).locator('a:focus').count(), 1, 'the first new row')

  const queries = queriesOf(page)
  const field = page.getByRole('searchbox', { name: 'Search payment links' })
  // All at once: a busy machine would pause between the keys.
  await field.evaluate((input: any) => {
    for (const length of [1, 2, 3, 4, 5, 6, 7]) {
      input.value = 'sedinta'.slice(0, length)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await announced(page, '1 found')
  assert.equal(await rows.innerText().then((text) => text.split('\n')[0]), 'Ședință foto')
  // The second page of the search: the first one reads a thousand links.
  assert.deepEqual(
    queries.map((query) => new URLSearchParams(query).get('search')),
    ['sedinta', 'sedinta'],
  )
  assert.equal(new URL(page.url()).search, '')
  const url = (await rows.locator('th a').getAttribute('href')) ?? ''
  for (const text of ['ctr-77 foto', url.slice(url.lastIndexOf('/') + 1), url]) {
    await field.fill('no link')
    await announced(page, '0 found')
    await field.fill(text)
    await announced(page, '1 found')
    assert.match(await rows.innerText(), /CTR-77\/2026/, text)
  }

  await field.fill('no link')
  await page.getByRole('heading', { name: 'Nothing found for “no link”' }).waitFor()
  assert.equal(await rows.count(), 0)
  await assertAccessible(page, 'a search without a result')
  await page.getByRole('button', { name: 'Show all payment links' }).press('Enter')
  await announced(page, 'The newest 50 payment links')
  assert.equal(await field.inputValue(), '')
  assert.equal(await page.locator('input[type=search]:focus').count(), 1)
  await assertClean()
})

test('the state filter shows the links of one state, which each say until when they are open', async () => {
  const token = await web.signInWithGoogle('bob@gmail.com', 'Bob')
  const inMs = (ms: number) => ({ expiresAt: new Date(Date.now() + ms).toISOString() })
  web.storeLinks(token, [{ title: 'Expired one', expiresAtMs: Date.now() - 900 }])
  const ended = await createByApi(token, { title: 'Ended one', amount: 100, ...inMs(90_000_000) })
  await web.callApi(`POST /payment-links/${ended.id}/deactivate`, { token })
  await createByApi(token, { title: 'Open one', amount: 100, ...inMs(4 * 86_400_000) })
  await createByApi(token, { title: 'Endless one', amount: 100 })
  for (const [look, states, days] of [
    [{}, ['Active', 'Inactive', 'Expired'], /Expires in 4 days\s+\d+ \w+ 20\d\d/],
    [
      { locale: 'ro-RO', width: 360, colorScheme: 'dark' },
      ['Active', 'Inactive', 'Expirate'],
      /Expiră peste 4 zile\s+\d+ \S+ 20\d\d/,
    ],
  ] as const) {
    const { page, rows, assertClean } = await openLinks(token, look)
    assert.equal(await rows.count(), 4)
    assert.match(await page.getByRole('row', { name: 'Open one' }).innerText(), days)
    assert.doesNotMatch(await page.getByRole('row', { name: 'Ended one' }).innerText(), /Expires|Expiră/)
    await assertAccessible(page, 'links of every state')
    await assertReachedByKeyboard(page, 'links of every state')
    const [open = '', over = '', expired = ''] = states
    for (const [state, titles] of [
      [open, ['Endless one', 'Open one']],
      [over, ['Ended one']],
      [expired, ['Expired one']],
    ] as const) {
      await page.getByText(state, { exact: true }).first().click()
      await announced(page, titles.length === 1 ? /^(1 found|Un link găsit)$/ : /^2 (found|linkuri găsite)$/)
      assert.deepEqual(await rows.locator('th a').allInnerTexts(), titles)
    }
    await page.getByRole('searchbox').fill('endless')
    await page.locator('#nothing-found').waitFor()
    await assertClean()
  }
})

test('a slow search is cancelled by the next one, and without a connection no list stands under a search it is not of', async () => {
  const token = await web.signInWithGoogle('cia@gmail.com', 'Cia')
  for (const title of ['First', 'Second']) await createByApi(token, { title, amount: 100 })
  const { page, context, rows, assertClean } = await openLinks(token)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/payment-links?search=first', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('search=first'))
  const field = page.getByRole('searchbox')
  await field.fill('first')
  await announced(page, 'Searching…')
  await page.locator('table[aria-busy=true]').waitFor()
  await assertAccessible(page, 'a list during a search')
  await field.fill('second')
  await cancelled
  await announced(page, '1 found')
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  assert.match(await rows.innerText(), /^Second\n/)

  await context.setOffline(true)
  await field.fill('first')
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  assert.equal(await field.inputValue(), 'first')
  assert.equal(await rows.count(), 0)
  await assertAccessible(page, 'a search that failed')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await announced(page, '1 found')
  assert.match(await rows.innerText(), /^First\n/)
  await assertClean()
})

test('a search stops after ten calls without a match, says so, and goes on when asked to', async () => {
  const token = await web.signInWithGoogle('eva@gmail.com', 'Eva')
  const old = await createByApi(token, { title: 'Old one', amount: 100 })
  const { page, rows, assertClean } = await openLinks(token)
  // An account with more than 10,000 links.
  let calls = 0
  await page.route('**/api/v1/payment-links?search=old*', async (route) => {
    calls += 1
    if (calls > 10) return route.fulfill({ json: { paymentLinks: [old], nextCursor: null } })
    return route.fulfill({ json: { paymentLinks: [], nextCursor: `${2_000_000_000_000 - calls}_x` } })
  })
  await page.getByRole('searchbox').fill('old')
  await page.getByText('Older ones have not been searched yet.').waitFor()
  await announced(page, '0 found so far')
  assert.equal(calls, 10)
  await assertAccessible(page, 'a list with more pages')
  await page.getByRole('button', { name: 'Search older links' }).press('Enter')
  await announced(page, /^1 found$/)
  assert.equal(calls, 11)
  assert.equal(await rows.locator('a:focus').count(), 1)
  await page.unrouteAll({ behavior: 'wait' })
  await assertClean()
})

test('a link is shown as ending at once, can be undone, and ends when the page is left; pages, scroll and focus stay', async () => {
  const token = await web.signInWithGoogle('dan@gmail.com', 'Dan')
  web.storeLinks(token, many(53))
  const { page, rows, assertClean } = await openLinks(token, { width: 360 })
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await announced(page, '53 payment links')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  const last = rows.last()
  const title = await last.locator('th a').innerText()
  const button = last.locator('td button').last()
  await button.scrollIntoViewIfNeeded()
  await button.focus()
  await page.keyboard.press('Enter')
  await announced(page, `Deactivating “${title}”.`)
  const scrolledTo = await page.evaluate<number>('scrollY')
  await last.getByText('Deactivating…').waitFor()
  await assertAccessible(page, 'a link that is ending')
  assert.equal(await page.locator('button:focus').getAttribute('aria-label'), `Undo: ${title}`)
  await page.keyboard.press('Enter')
  await announced(page, `“${title}” stays active.`)
  assert.equal(await page.locator('button:focus').getAttribute('aria-label'), `Deactivate: ${title}`)
  assert.match(await last.innerText(), /Active/)
  assert.deepEqual(calls, [])
  assert.equal((await statusOf(token, title))?.status, 'ACTIVE')

  await page.route('**/deactivate', (route) => route.abort())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await announced(
    page,
    new RegExp(`“${title}” was not deactivated and is still active. The service could not be reached`),
  )
  await last.getByText('Active', { exact: true }).waitFor()
  assert.equal((await statusOf(token, title))?.status, 'ACTIVE')
  await page.unrouteAll({ behavior: 'wait' })

  await button.focus()
  await page.keyboard.press('Enter')
  // The next result ends the Undo of this one, and the button with the focus is gone.
  await page.getByRole('button', { name: 'Dismiss' }).evaluate((dismiss: any) => dismiss.click())
  await last.getByText('Inactive').waitFor()
  assert.equal(await page.locator('a:focus').getAttribute('aria-label'), `Open ${title}`)
  assert.equal(await rows.count(), 53)
  assert.ok(Math.abs((await page.evaluate<number>('scrollY')) - scrolledTo) < 200, 'the scroll stays')
  assert.equal((await statusOf(token, title))?.status, 'INACTIVE')

  const first = await rows.first().locator('th a').innerText()
  await rows.first().locator('td button').last().click()
  await page.goto('/dashboard/profile')
  await page.goto('/dashboard/payment-links')
  await rows.first().getByText('Inactive').waitFor()
  assert.equal((await statusOf(token, first))?.status, 'INACTIVE')
  await assertClean().catch((error: Error) => assert.match(error.message, /ERR_FAILED/))
})

async function statusOf(token: string, title: string): Promise<any> {
  const { body } = await web.callApi(`GET /payment-links?${new URLSearchParams({ search: title }).toString()}`, {
    token,
  })
  return body.paymentLinks.find((link: any) => link.title === title)
}
