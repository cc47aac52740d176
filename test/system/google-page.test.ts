/** "Continue with Google" on a fresh machine, in a real browser: by the local stand-in, with no setting at all. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { callAt } from '../support/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process.ts'
import type { CliProcess } from '../support/process.ts'

const folder = temporaryFolder()
let browser: Browser
let service: CliProcess
let origin: string

before(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  service = runCli(['serve'], { cwd: folder.path, env: { PORT: String(port), LOG_LEVEL: 'warn' } })
  await service.waitFor('curl')
  browser = await startBrowser()
})

after(async () => {
  await browser.close()
  service.kill('SIGTERM')
  await service.exited
  folder.remove()
})

/** Opens the sign-in page in a browser of its own, and goes on to the stand-in. */
async function continueWithGoogle(page: Page): Promise<void> {
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('heading', { name: 'This is not Google' }).waitFor()
}

async function tokenShown(page: Page): Promise<string> {
  // The field is there before the script has filled it.
  await page.getByText('You are signed in.').waitFor()
  return page.getByLabel('Access token').inputValue()
}

test('signs a person in, and leaves no token in the address and no cookie of the sign-in', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await continueWithGoogle(page)
  await page.getByLabel('Whom Google says you are').fill('ana@gmail.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  const token = await tokenShown(page)
  assert.equal(page.url(), `${origin}/signed-in`)
  const me = await callAt(`${origin}/api/v1`, 'GET /users/me', { token })
  assert.equal(me.body.user.email, 'ana@gmail.com')
  const cookies = await context.cookies()
  assert.deepEqual(cookies.filter(({ name }) => name.includes('google-flow')), [])
})

test('two tabs sign in at once, each as whom it says', async () => {
  const context = await browser.newContext()
  const [one, other] = [await context.newPage(), await context.newPage()]
  await continueWithGoogle(one)
  await continueWithGoogle(other)
  for (const [page, email] of [[one, 'one@gmail.com'], [other, 'other@gmail.com']] as const) {
    await page.getByLabel('Whom Google says you are').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    const token = await tokenShown(page)
    const me = await callAt(`${origin}/api/v1`, 'GET /users/me', { token })
    assert.equal(me.body.user.email, email)
  }
})

test('a person who cancels reads why, in our own words, and can go back', async () => {
  const page = await browser.newPage()
  await continueWithGoogle(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('The sign-in with Google was cancelled or refused there.').waitFor()
  assert.equal(await page.getByLabel('Access token').isVisible(), false)
  await page.goto(`${origin}/signed-in#error=OTHER&error_description=Call%20555`)
  await page.getByText('The sign-in with Google did not work.').waitFor()
  assert.doesNotMatch(await page.locator('main').innerText(), /555/)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('button', { name: 'Send me a sign-in link' }).waitFor()
})
