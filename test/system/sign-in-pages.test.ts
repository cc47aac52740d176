/** People's pages in a real browser: from an address typed in to an access token, by a mailed link. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process.ts'
import type { CliProcess } from '../support/process.ts'

const frontend = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>frontend</title>')
})
const folders = [temporaryFolder(), temporaryFolder()]
let browser: Browser
let builtIn: { origin: string; service: CliProcess }
let withFrontend: { origin: string; service: CliProcess }
let frontendOrigin: string

async function serve(cwd: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const service = runCli(['serve'], { cwd, env: { PORT: String(port), LOG_LEVEL: 'warn', ...env } })
  await service.waitFor('curl')
  return { origin: `http://localhost:${port}`, service }
}

/** A page on which anything the content security policy refuses, or any script error, fails the test. */
async function openPage(): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext()
  const faults: string[] = []
  context.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  return { page: await context.newPage(), faults }
}

/** Asks for a link on the sign-in page, and opens it from the development mailbox in a tab of its own. */
async function followMailedLink(page: Page, origin: string, email: string): Promise<Page> {
  await page.goto(`${origin}/`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
  await page.getByRole('link', { name: 'Open the development mailbox' }).click()
  const mail = page.frameLocator('iframe').first()
  await assert.doesNotReject(async () => {
    while ((await page.locator('article').count()) === 0) await page.reload()
  })
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    mail.getByRole('link', { name: 'Sign in' }).click(),
  ])
  await tab.waitForURL('**/confirm*')
  return tab
}

before(async () => {
  frontend.listen(0, '127.0.0.1')
  await once(frontend, 'listening')
  frontendOrigin = `http://127.0.0.1:${(frontend.address() as AddressInfo).port}`
  const [one, other] = folders.map((folder) => folder.path) as [string, string]
  builtIn = await serve(one)
  withFrontend = await serve(other, { APP_URL: frontendOrigin })
  browser = await startBrowser()
})

after(async () => {
  await browser.close()
  for (const { service } of [builtIn, withFrontend]) {
    service.kill('SIGTERM')
    await service.exited
  }
  frontend.close()
  for (const folder of folders) folder.remove()
})

test('a person signs in from the mailbox with one click, and the token works', async () => {
  const { page, faults } = await openPage()
  const tab = await followMailedLink(page, builtIn.origin, 'ana@example.com')

  await tab.getByText('Sign in as a***@example.com?').waitFor()
  assert.equal(new URL(tab.url()).hash, '', 'the token has left the address bar')
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByLabel('Access token').waitFor()
  const token = await tab.getByLabel('Access token').inputValue()
  const me = await fetch(`${builtIn.origin}/api/v1/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(((await me.json()) as { user: { email: string } }).user.email, 'ana@example.com')
  assert.deepEqual(faults, [])
})

test('opening the mailed link uses nothing up; using it does, and the page leads to a new one', async () => {
  const { page, faults } = await openPage()
  const first = await followMailedLink(page, builtIn.origin, 'bob@example.com')
  await first.getByText('Sign in as b***@example.com?').waitFor()
  const link = (await page.locator('pre a').first().getAttribute('href')) ?? ''

  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Access token').waitFor()

  await first.getByRole('button', { name: 'Sign in' }).click()
  await first.getByText('unknown, used or expired').waitFor()
  await first.getByRole('link', { name: 'Ask for a new link' }).click()
  await first.getByLabel('E-mail address').waitFor()
  assert.deepEqual(faults, [])
})

test('with a frontend of one’s own the person returns there, the token in the fragment', async () => {
  const { page, faults } = await openPage()
  const tab = await followMailedLink(page, withFrontend.origin, 'cia@example.com')
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL(`${frontendOrigin}/**`)
  const url = new URL(tab.url())
  const fragment = new URLSearchParams(url.hash.slice(1))
  assert.equal(url.search, '', 'nothing is in the query')
  assert.match(fragment.get('token') ?? '', /^eyJ/)
  assert.equal(fragment.get('needsOnboarding'), 'true')
  assert.deepEqual(faults, [])
})

test('a redirectTo put into the page’s address leads nowhere else and uses no link up', async () => {
  const { page } = await openPage()
  const tab = await followMailedLink(page, builtIn.origin, 'dan@example.com')
  await tab.getByText('Sign in as d***@example.com?').waitFor()
  const link = (await page.locator('pre a').first().getAttribute('href')) ?? ''
  const token = new URL(link).searchParams.get('token') ?? ''

  await page.goto(`${builtIn.origin}/confirm#token=${token}&redirectTo=https://evil.example/`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('redirectTo must be').waitFor()
  assert.equal(new URL(page.url()).origin, builtIn.origin)

  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByLabel('Access token').waitFor()
})
