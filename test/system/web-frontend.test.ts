/** With an application frontend, the pages that mails link to are still served here, and return to it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>frontend</title><link rel="icon" href="data:,">')
})
let frontend: string
let web: Web

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  frontend = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  web = await startWeb({ APP_URL: `${frontend}/welcome` })
})
after(async () => {
  await web.stop()
  server.close()
})

for (const [what, redirectTo] of Object.entries({
  'its first page': undefined,
  'the page it named': '/invoices?id=7',
})) {
  test(`a mailed link leads to ${what}, with the token in the fragment`, async () => {
    const { page, assertClean } = await web.openPage({ frontend })
    const email = redirectTo === undefined ? 'ana@example.com' : 'bob@example.com'
    const body = redirectTo === undefined ? { email } : { email, redirectTo: frontend + redirectTo }
    assert.equal((await web.callApi('POST /auth/request', { body })).status, 200)
    await page.goto(await web.mailedLink(email))
    await page.getByText(`You are signing in as ${email[0]}***@example.com.`).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${frontend}/**`)
    const url = new URL(page.url())
    assert.equal(url.pathname + url.search, redirectTo ?? '/welcome', 'the token is not in the query')
    const fragment = new URLSearchParams(url.hash.slice(1))
    assert.equal(fragment.get('needsOnboarding'), 'true')
    const me = await web.callApi('GET /users/me', { token: fragment.get('token') ?? '' })
    assert.equal(me.body.user.email, email)
    await page.goto(`${web.origin}/not-me`)
    assert.equal(await page.evaluate('localStorage.getItem("token")'), null, 'nothing is stored here')
    await assertClean()
  })
}

test('a used link leads to the frontend, where a new one can be requested', async () => {
  const { page, assertClean } = await web.openPage({ frontend })
  await page.goto('/confirm#token=never-was-one')
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'For developers' }).count(), 0, 'an unknown page')
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await page.waitForURL(`${frontend}/welcome`)
  await assertClean()
})

test('the link to a new address gives its token to the frontend, whose sign-in asked, after a click', async () => {
  const { page, assertClean } = await web.openPage({ frontend })
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  await page.goto('/confirm-email#token=k3Zr0bXn4Yk2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${frontend}/**`)
  assert.equal(page.url(), `${frontend}/welcome#emailChange=k3Zr0bXn4Yk2`)
  assert.deepEqual(calls, [])
  await assertClean()
})

test('the first page leads to the frontend, and the dashboard is not served', async () => {
  const first = await fetch(`${web.origin}/`, { redirect: 'manual' })
  assert.deepEqual([first.status, first.headers.get('location')], [302, `${frontend}/welcome`])
  for (const path of [
    '/dashboard',
    '/dashboard/apps',
    '/dashboard/activity',
    '/dashboard/profile',
    '/dashboard/quick-start',
    '/onboarding',
    '/connect-google',
    '/authorize',
    '/signed-in',
  ]) {
    const { status } = await fetch(web.origin + path)
    assert.equal(status, 404, path)
  }
})
