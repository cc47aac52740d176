import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { connect, startApp } from '../support/accounts/apps.ts'
import { assertReachedByKeyboard, brokenWordsIn, problemsOf, settling } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, Web } from '../support/browser/web.ts'

/** Transfer size of everything the first page loads from this service, at most. */
const FIRST_PAGE_BYTES = 30_000
/** The highest layout shift: none on the first page, an invisible one on others. */
const MAX_SHIFT = 0.02

type Who = 'nobody' | 'new' | 'busy'

let web: Web
const tokens: Record<Exclude<Who, 'nobody'>, string> = { new: '', busy: '' }
let link: string
let button: string
let payPage: string
let keyPage: string

before(async () => {
  web = await startWeb()
  const program = await web.callApi('POST /auth/api/signup', {
    body: { email: 'new@gmail.com', keyName: 'Deploy script' },
  })
  assert.equal(program.status, 201, program.text)
  tokens.new = await web.signInWithGoogle('new@gmail.com')
  tokens.busy = await web.signInWithGoogle('busy@gmail.com', 'Ștefania Popescu-Brătianu '.repeat(3).trim())
  const names = [
    'Live shop',
    'Staging',
    'A key whose name is as long as people make them when nobody stops them at all',
  ]
  const keys: { id: string }[] = []
  for (const name of names) {
    const made = await web.callApi('POST /auth/api-keys', { token: tokens.busy, body: { name, expiresInDays: 30 } })
    assert.equal(made.status, 201, made.text)
    keys.push(made.body.apiKey)
  }
  await web.callApi(`POST /auth/api-keys/${keys[1]?.id}/revoke`, { token: tokens.busy })
  keyPage = `/dashboard/keys/${keys[2]?.id}`
  const t = { after: (close: () => Promise<void>) => after(close) } as Pick<TestContext, 'after'>
  for (const name of ['Reports', 'An app with a name as long as people make them when nobody stops them at all']) {
    await connect({ call: web.callApi }, tokens.busy, await startApp(t, { client_name: name }))
  }
  const { body } = await web.callApi('POST /payment-links', {
    token: tokens.busy,
    body: {
      title: 'Consulting, all of the second half of the year',
      amount: 99_999_999,
      reference: 'INV-2026-014',
      expiresAt: new Date(Date.now() + 8.5 * 86_400_000).toISOString(),
    },
  })
  payPage = new URL(body.paymentLink.url).pathname
  await web.callApi('POST /auth/request', { body: { email: 'linked@example.com' } })
  const token = new URL(await web.mailedLink('linked@example.com')).searchParams.get('token')
  link = `/confirm#token=${token}`
  button = `/not-me${new URL(await web.mailedLink('linked@example.com', '/not-me#')).hash}`
})
after(() => web.stop())

/** Every page and its kind of visitor. */
const pages: readonly Readonly<{ path: () => string; who: Who }>[] = [
  ...[
    '/',
    '/confirm',
    '/signed-in',
    '/not-me',
    '/not-me#token=x',
    '/resume-mail',
    '/resume-mail#token=x',
    '/confirm-email',
    '/confirm-email#token=x',
    '/undo-email#token=x',
    '/pay/x',
    '/dashboard/quick-start',
  ].map((path) => ({ path: () => path, who: 'nobody' }) as const),
  { path: () => link, who: 'nobody' },
  { path: () => button, who: 'nobody' },
  { path: () => payPage, who: 'nobody' },
  { path: () => keyPage, who: 'busy' },
  ...['/onboarding', '/dashboard', '/dashboard/profile', '/dashboard/apps'].map(
    (path) => ({ path: () => path, who: 'new' }) as const,
  ),
  ...[
    '/dashboard',
    '/dashboard/payment-links',
    '/dashboard/apps',
    '/dashboard/activity',
    '/dashboard/profile',
    '/dashboard/quick-start',
    '/connect-google',
    '/authorize',
    '/confirm-email#token=x',
  ].map((path) => ({ path: () => path, who: 'busy' }) as const),
]

const measureShift = `
  window.layoutShift = { sum: 0, moved: '' }
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      layoutShift.sum += value
      for (const { node } of sources) layoutShift.moved += ' ' + (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** Opens every page as its visitor, and calls `visit` once it has settled. */
async function visitAll(look: Look, visit: (page: Page, what: string, path: string) => Promise<void>): Promise<void> {
  const { page, context, assertClean } = await web.openPage(look)
  await context.addInitScript(measureShift)
  const settle = settling(page)
  // Here no script runs that would navigate away.
  const setToken = async (who: Who) => {
    await page.goto('/healthz')
    await page.evaluate(
      who === 'nobody'
        ? 'localStorage.clear()'
        : `Object.assign(localStorage, { token: '${tokens[who]}', currency: 'EUR' })`,
    )
  }
  let last: Who | undefined
  for (const { path, who } of pages) {
    if (who !== last) await setToken(who)
    last = who
    await page.goto(path())
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle()
    const what = `${path().replace(/token=.*/, 'token')} as ${who}`
    assert.equal(new URL(page.url()).pathname, path().replace(/#.*/, ''), what)
    await visit(page, what, path())
  }
  await assertClean()
}

const variants: Readonly<Record<string, Look>> = {
  'a Romanian desktop': { locale: 'ro-RO', width: 1180 },
  'a small dark desktop': { colorScheme: 'dark', width: 1024 },
  'a light phone': { width: 360 },
  'a dark Romanian phone': { locale: 'ro-RO', width: 360, colorScheme: 'dark' },
}

describe(
  'every page has no axe violation, overflow, word broken at a hyphen or layout shift',
  { concurrency: 2 },
  () => {
    for (const [name, look] of Object.entries(variants)) {
      test(`on ${name}`, async () => {
        const problems: string[] = []
        await visitAll(look, async (page, what, path) => {
          problems.push(...(await problemsOf(page, what)))
          for (const word of await brokenWordsIn(page)) problems.push(`${what} breaks ${word}`)
          const { sum, moved } = await page.evaluate<{ sum: number; moved: string }>('layoutShift')
          if (sum > (path === '/' ? 0 : MAX_SHIFT)) problems.push(`${what} shifts by ${sum}:${moved}`)
          assert.equal(await page.evaluate('document.documentElement.lang'), look.locale?.slice(0, 2) ?? 'en')
        })
        assert.deepEqual(problems, [])
      })
    }
  },
)

test('on every page the keyboard reaches everything in order, with a visible focus', async () => {
  await visitAll({}, assertReachedByKeyboard)
})

test('the first page is small in total in each language, and its parts are sent compressed', async () => {
  for (const locale of ['en-GB', 'ro-RO']) {
    const { page, context, assertClean } = await web.openPage({ locale })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    const urls = new Map<string, string>()
    let bytes = 0
    session.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      // The stand-in for Google does not count.
      if (urls.get(requestId)?.startsWith(web.origin)) bytes += encodedDataLength
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    const loaded = [...urls.values()].filter((url) => url.startsWith(web.origin))
    assert.ok(loaded.length >= 3, loaded.join(' '))
    assert.ok(bytes > 1000 && bytes < FIRST_PAGE_BYTES, `${bytes} bytes`)
    await assertClean()
  }
})
