import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

type Key = Readonly<{ id: string; keyId: string; keySecret: string }>

/** A program signs up with another person's address and creates a second key. */
async function signUp(email: string): Promise<Readonly<{ first: Key; second: Key }>> {
  const signup = await web.callApi('POST /auth/api/signup', { body: { email, name: 'Mallory', keyName: 'Billing' } })
  assert.equal(signup.status, 201, signup.text)
  const { token, apiKey, keySecret } = signup.body
  const made = await web.callApi('POST /auth/api-keys', { token, body: { name: 'Reports' } })
  assert.equal(made.status, 201, made.text)
  return { first: { ...apiKey, keySecret }, second: { ...made.body.apiKey, keySecret: made.body.keySecret } }
}

const exchange = ({ keyId, keySecret }: Key) => web.callApi('POST /auth/api/token', { body: { keyId, keySecret } })

const statuses = async (token: string): Promise<unknown> =>
  Object.fromEntries(
    (await web.callApi('GET /auth/api-keys', { token })).body.apiKeys.map((key: any) => [key.name, key.status]),
  )

test('the owner sees when, from where and by whom waiting keys were made, keeps one, revokes the other, and reaches the dashboard', async () => {
  const email = 'owner@example.com'
  const { first, second } = await signUp(email)
  const { page, assertClean } = await web.openPage()
  const token = await web.signIn(page, email)
  assert.equal(new URL(page.url()).pathname, '/onboarding')
  assert.equal((await exchange(first)).status, 403, 'the key awaits its owner')

  const billing = page.getByRole('listitem').filter({ hasText: first.keyId })
  await billing.getByText('when this account was created').waitFor()
  await billing.getByText('127.0.0.1').waitFor()
  const madeAt = await billing.locator('time').getAttribute('datetime')
  assert.ok(Math.abs(Date.parse(madeAt ?? '') - Date.now()) < 120_000, String(madeAt))
  const reports = page.getByRole('listitem').filter({ hasText: second.keyId })
  await reports.getByText('by a program with the key “Billing”').waitFor()

  await page.getByRole('button', { name: 'Keep Billing: it works again' }).click()
  await billing.getByText('Kept: works again').waitFor()
  assert.equal(
    await page.evaluate('document.activeElement.getAttribute("aria-label")'),
    'Billing is kept and works again.',
  )
  assert.deepEqual(await statuses(token), { Billing: 'ACTIVE', Reports: 'AWAITS_OWNER' })
  await page.getByRole('button', { name: 'Revoke Reports permanently' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke “Reports”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await statuses(token), { Billing: 'ACTIVE', Reports: 'AWAITS_OWNER' }, 'nothing before the answer')
  await page.getByRole('button', { name: 'Revoke Reports permanently' }).click()
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await reports.getByText('Revoked', { exact: true }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Reports is revoked.')

  await page.getByLabel('What should we call you?').fill('Ana')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${web.origin}/dashboard`)
  assert.equal((await exchange(first)).status, 200)
  assert.equal((await exchange(second)).status, 401)
  const { user } = (await web.callApi('GET /users/me', { token })).body
  assert.deepEqual([user.name, user.needsOnboarding], ['Ana', false])

  await page.goto('/dashboard/activity')
  for (const [title, key] of [
    ['API key revoked', 'Reports'],
    ['API key kept', 'Billing'],
  ] as const) {
    const entry = page.getByRole('listitem').filter({ hasText: title })
    await entry.getByText(`key “${key}” · Chrome on Linux · from 127.0.0.1`).waitFor()
  }
  await page.getByRole('listitem').filter({ hasText: 'API key created' }).getByText('done with key “Billing”').waitFor()
  await assertClean()
})

test('the form cannot be sent while a key is undecided, and "Later" changes nothing', async () => {
  const email = 'later@example.com'
  const { first } = await signUp(email)
  const { page, assertClean } = await web.openPage()
  const token = await web.signIn(page, email)
  await page.getByLabel('What should we call you?').fill('Ana')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('Keep or revoke each key first').waitFor()
  await page.getByRole('link', { name: 'Later' }).click()
  await page.waitForURL(`${web.origin}/dashboard`)
  assert.deepEqual(await statuses(token), { Billing: 'AWAITS_OWNER', Reports: 'AWAITS_OWNER' })
  assert.equal((await exchange(first)).status, 403)
  assert.equal((await web.callApi('GET /users/me', { token })).body.user.name, null)
  await assertClean()
})

test('revoking a key with the keys it made decides them all, on a phone and with a long name too', async () => {
  const email = 'family@example.com'
  const { body } = await web.callApi('POST /auth/api/signup', { body: { email, keyName: 'W'.repeat(49) } })
  await web.callApi('POST /auth/api-keys', { token: body.token, body: { name: 'Reports' } })
  const { page, assertClean } = await web.openPage({ width: 360 })
  const token = await web.signIn(page, email)
  await page.getByRole('button', { name: `Revoke ${'W'.repeat(49)} permanently` }).click()
  await page.getByRole('dialog').getByRole('checkbox').check()
  assert.equal(
    await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
    ),
    0,
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke 2 keys' }).click()
  await page.getByText('Revoked', { exact: true }).nth(1).waitFor()
  assert.equal(
    await page.evaluate('document.activeElement.getAttribute("aria-label")'),
    `${'W'.repeat(49)} is revoked.`,
  )
  assert.deepEqual(Object.values((await statuses(token)) as object), ['REVOKED', 'REVOKED'])
  await page.getByLabel('What should we call you?').fill('Ana')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${web.origin}/dashboard`)
  await assertClean()
})

test('a new person gives only a name, by keyboard, and reaches the page they wanted', async () => {
  const { page, assertClean } = await web.openPage({ locale: 'ro-RO', colorScheme: 'dark', width: 360 })
  const token = await web.signIn(page, 'new@example.com')
  await page.goto('/onboarding?next=/dashboard/activity')
  await page.getByLabel('Cum vrei să-ți spunem?').waitFor()
  // The field has the focus at once.
  await page.locator('#name:focus').waitFor()
  assert.equal(await page.getByText('Verifică aceste chei API').count(), 0)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Scrie un nume de cel mult 100 de caractere').waitFor()
  await page.locator('#name[aria-invalid=true]:focus').waitFor()
  await page.locator('#name-hint').getByText('linkurile tale de plată').waitFor()
  await page.keyboard.type('Ștefan')
  assert.equal(await page.getByText('Scrie un nume').count(), 0, 'corrected while typing')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${web.origin}/dashboard/activity`)
  assert.equal((await web.callApi('GET /users/me', { token })).body.user.name, 'Ștefan')
  await assertClean()
})

test('a person with nothing left to do continues at once, to a page of this service only', async () => {
  const { page, assertClean } = await web.openPage()
  await web.signIn(page, 'done@example.com', 'Ana')
  for (const [next, leadsTo] of [
    ['/dashboard/activity', '/dashboard/activity'],
    ['https://evil.example/', '/dashboard'],
    ['//evil.example/', '/dashboard'],
    ['/onboarding', '/dashboard'],
  ] as const) {
    await page.goto(`/onboarding?next=${encodeURIComponent(next)}`)
    await page.waitForURL((url) => url.pathname !== '/onboarding')
    assert.equal(page.url(), web.origin + leadsTo, next)
  }
  await assertClean()
})

test('without a sign-in the page shows nothing and asks for one', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/onboarding?next=/dashboard/activity')
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(page.url(), `${web.origin}/?next=%2Fonboarding`)
  await assertClean()
})
