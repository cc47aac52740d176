/** What a key may do, chosen and read on the pages, and the page of a key. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertAccessible, assertReachedByKeyboard } from '../support/browser/web-checks.ts'
import { dialogOf, press, shownSecret, storeUses, webKeys } from '../support/browser/web-keys.ts'
import type { WebKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { until } from '../support/until.ts'

let web: Web
let keys: WebKeys
before(async () => {
  web = await startWeb()
  keys = webKeys(web)
})
after(() => web.stop())

type Listed = Readonly<{
  id: string
  name: string
  lastUsedAt: string | null
  restrictions?: object
  effectiveRestrictions?: object
}>

const listed = async (token: string): Promise<readonly Listed[]> =>
  (await web.callApi('GET /auth/api-keys', { token })).body.apiKeys

const may = 'What it may do'

test('a key gets the amounts as typed and no more, the list says so in words, and the service holds them', async () => {
  const { page, token, assertClean } = await keys.openAccount('agent')
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  const dialog = dialogOf(page)
  await dialog.getByLabel('Name').fill('Agent')
  await dialog.getByLabel(may).selectOption('Payment links only')
  await dialog.getByText('Limits on amounts').click()
  await dialog.getByLabel('Per day, EUR').fill('50,00')
  await dialog.getByLabel('Per link, EUR').fill('1.2.3')
  await press(dialog, 'Create key')
  await dialog.getByText('Per link, EUR: Write an amount').waitFor()
  assert.ok(await dialog.getByLabel('Per link, EUR').evaluate((field) => field === field.ownerDocument.activeElement))
  assert.deepEqual(await listed(token), [], 'a misread amount creates nothing')
  await dialog.getByLabel('Per link, EUR').fill('20')
  await dialog.getByText('Payment links in EUR only').waitFor()
  await press(dialog, 'Create key')
  const credentials = await shownSecret(page)
  await press(dialog, 'I have stored the secret')
  await page.getByRole('row', { name: /Agent.*Payment links only · €50\.00 a day · €20\.00 a link/ }).waitFor()

  const [key, ...others] = await listed(token)
  assert.deepEqual(others, [])
  assert.deepEqual(key?.restrictions, {
    scopes: ['payment_links:read', 'payment_links:write'],
    maxAmount: { EUR: 2000 },
    dailyAmount: { EUR: 5000 },
  })
  const { token: ofKey } = (await keys.exchange(credentials)).body
  const create = (amount: number) =>
    web.callApi('POST /payment-links', {
      token: ofKey,
      headers: { 'x-currency': 'EUR' },
      body: { amount, title: 'Tea' },
    })
  assert.deepEqual([(await create(2001)).status, (await create(2000)).status], [403, 201])
  assert.equal((await web.callApi('GET /auth/api-keys', { token: ofKey })).status, 403)
  await assertClean()
})

test('networks and scopes are chosen by name, and a wrong network is refused at its field', async () => {
  const { page, token, assertClean } = await keys.openAccount('chooser')
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  const dialog = dialogOf(page)
  await dialog.getByLabel(may).selectOption('Choose…')
  for (const name of ['Read payment links', 'Create and deactivate payment links'])
    await dialog.getByLabel(name).uncheck()
  await press(dialog, 'Create key')
  await dialog.getByText('Tick at least one.').waitFor()
  await dialog.getByLabel('Read the activity').check()
  await dialog.getByText('Limits on amounts').click()
  assert.equal(await dialog.getByLabel('Per day, EUR').count(), 0, 'it creates no payment links')
  await dialog.getByLabel('Works only from').fill('203.0.113.300')
  await press(dialog, 'Create key')
  await dialog.getByText('Write addresses such as').waitFor()
  await dialog.getByLabel('Works only from').fill('203.0.113.7, 2001:db8::/32')
  await press(dialog, 'Create key')
  await press(dialog, 'I have stored the secret')
  await page.getByText('Read the activity · only from 2001:db8::/32, 203.0.113.7').waitFor()
  const networks = ['2001:db8::/32', '203.0.113.7/32']
  assert.deepEqual((await listed(token))[0]?.restrictions, { scopes: ['events:read'], networks })
  await assertClean()
})

test('the page of a key shows who created it, what it created and its activity, and changes it at once', async () => {
  const { page, token, assertClean } = await keys.openAccount('owner')
  const parent = await keys.make(token, 'Parent')
  const child = await keys.make((await keys.exchange(parent)).body.token, 'Child')
  const childToken = (await keys.exchange(child)).body.token
  await keys.make(childToken, 'Grandchild')
  await until(async () => (await listed(token)).at(-1)?.lastUsedAt != null, 'the use of the first key is written')
  await page.goto('/dashboard/profile')
  await page.getByRole('link', { name: 'Parent' }).click()
  await page.waitForURL(/\/dashboard\/keys\/[\w-]+$/)
  await page.getByRole('heading', { name: 'Parent', level: 1 }).waitFor()
  await page.getByText('by somebody who was signed in').waitFor()
  await page.getByRole('region', { name: 'Uses' }).getByText('It has not been used').waitFor()
  await page
    .getByRole('region', { name: 'Details' })
    .getByText(/^seconds? ago|now, from 127\.0\.0\.0\/24$/)
    .waitFor()
  const tree = page.getByRole('region', { name: 'Keys it created' })
  await tree.getByRole('listitem').filter({ hasText: 'Child' }).getByRole('link', { name: 'Grandchild' }).waitFor()
  await page.getByRole('region', { name: 'Activity' }).getByText('API key created').first().waitFor()
  await assertAccessible(page, 'the page of a key')
  await assertReachedByKeyboard(page, 'the page of a key')

  await press(page, 'Change: Parent')
  await dialogOf(page).getByLabel('Name').fill('Reader')
  await dialogOf(page).getByLabel(may).selectOption('Read only')
  await press(dialogOf(page), 'Save')
  await page.getByRole('heading', { name: 'Reader', level: 1 }).waitFor()
  await page.getByText('“Reader” is changed.').waitFor()
  await tree.getByText('Read only (limited by the key that created it)').first().waitFor()
  assert.equal((await web.callApi('POST /auth/api-keys', { token: childToken })).status, 403)
  assert.deepEqual(
    (await listed(token)).map(({ name, restrictions, effectiveRestrictions }) => [
      name,
      restrictions !== undefined,
      effectiveRestrictions !== undefined,
    ]),
    [
      ['Grandchild', false, true],
      ['Child', false, true],
      ['Reader', true, false],
    ],
  )

  await tree.getByRole('link', { name: 'Grandchild' }).click()
  await page.getByRole('heading', { name: 'Grandchild', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'by a program with the key “Child”' }).waitFor()
  await page.getByText('It has created no keys.').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Reader', level: 1 }).waitFor()

  await press(page, 'Revoke: Reader')
  await press(dialogOf(page), 'Revoke key')
  await page.getByText('“Reader” is revoked.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Rotate: Reader' }).count(), 0)
  assert.equal((await keys.exchange(parent)).status, 401)
  assert.equal((await keys.exchange(child)).status, 200)
  await assertClean()
})

test('the owner of a new account reads what a waiting key may do before keeping it', async () => {
  const { body } = await web.callApi('POST /auth/api/signup', { body: { email: 'waits@gmail.com' } })
  const restrictions = { scopes: ['payment_links:read', 'payment_links:write'], currencies: ['EUR'] }
  await web.callApi('POST /auth/api-keys', { token: body.token, body: { name: 'Shop', restrictions } })
  const { page, token, assertClean } = await keys.openAccount('waits')
  await page.goto('/onboarding')
  const shop = page.getByRole('listitem').filter({ hasText: 'Shop' })
  await shop.getByText('Payment links only · only in EUR').waitFor()
  await page.getByText('Everything', { exact: true }).waitFor()
  await shop.getByRole('button', { name: /^Keep/ }).click()
  await shop.getByText('Kept: works again').waitFor()
  assert.deepEqual((await listed(token)).find(({ name }) => name === 'Shop')?.restrictions, restrictions)
  await assertClean()
})

test('the page of an unknown key says so, and one opened without a sign-in returns after it', async () => {
  const { page, token, assertClean } = await keys.openAccount('deep')
  await keys.make(token, 'Deep')
  const [key] = await listed(token)
  await page.goto('/dashboard/keys/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11')
  await page.getByRole('heading', { name: 'There is no such key' }).waitFor()
  await page.evaluate('localStorage.clear()')
  await page.goto(`/dashboard/keys/${key?.id}`)
  await page.waitForURL(/\?next=/)
  assert.equal(new URL(page.url()).searchParams.get('next'), `/dashboard/keys/${key?.id}`)
  // Shown only after the page has looked for a token, with which it would go on by itself.
  await page.getByLabel('E-mail address').waitFor()
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Deep', level: 1 }).waitFor()
  assert.equal((await fetch(`${web.origin}/dashboard/keys/a.b`, { headers: { accept: 'text/html' } })).status, 404)
  const slash = await fetch(`${web.origin}/dashboard/keys/x/`, {
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
    redirect: 'manual',
  })
  assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/dashboard/keys/x'])
  await assertClean()
})

for (const look of [
  { locale: 'ro-RO', width: 360, colorScheme: 'dark' },
  { locale: 'en-GB', width: 1180, colorScheme: 'dark' },
] as const) {
  test(`the page and the dialog fit and are accessible in ${look.locale}, ${look.width} pixels, ${look.colorScheme}`, async () => {
    const { page, token, assertClean } = await keys.openAccount(`look${look.width}${look.locale}`, look)
    const restrictions = { scopes: ['payment_links:write', 'keys:write'], dailyAmount: { EUR: 5000, RON: 12_345_678 } }
    const body = { name: 'A'.repeat(60), restrictions }
    const parent = await web.callApi('POST /auth/api-keys', { token, body })
    const ofParent = (await keys.exchange({ ...parent.body, keyId: parent.body.apiKey.keyId })).body.token
    await keys.make(ofParent, 'Child of it')
    storeUses(web, parent.body.apiKey.id)
    await page.goto(`/dashboard/keys/${parent.body.apiKey.id}`)
    await page.getByRole('link', { name: 'Child of it' }).waitFor()
    await page.getByText(/^(465 exchanges|465 de schimburi)/).waitFor()
    await assertAccessible(page, 'the page of a key')
    await page.getByRole('button', { name: /^(Change|Modifică): / }).click()
    await dialogOf(page).getByRole('combobox').waitFor()
    await assertAccessible(page, 'the dialog')
    await page.goto('/dashboard/profile')
    await page.getByRole('link', { name: 'Child of it' }).waitFor()
    if (look.width === 360) await assertAccessible(page, 'the list')
    await assertClean()
  })
}
