import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dialogOf, press, shownSecret, webKeys } from '../support/browser/web-keys.ts'
import type { WebKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

let web: Web
let keys: WebKeys
before(async () => {
  web = await startWeb()
  keys = webKeys(web)
})
after(() => web.stop())

test('after a rotation with grace both secrets work; without grace only the new one does', async () => {
  const { page, token, assertClean } = await keys.openAccount('rotates')
  const first = await keys.make(token, 'Billing server')
  await page.goto('/dashboard/profile')
  await press(page, 'Rotate: Billing server')
  await press(dialogOf(page), 'Cancel')
  await dialogOf(page).waitFor({ state: 'detached' })
  assert.equal((await keys.exchange(first)).status, 200)

  await press(page, 'Rotate: Billing server')
  await dialogOf(page).getByLabel('Works for 1 more hour').check()
  await press(dialogOf(page), 'Rotate key')
  const second = await shownSecret(page)
  await press(dialogOf(page), 'I have stored the secret')
  await page.getByText(/“Billing server” has a new secret. The old one works until/).waitFor()
  assert.equal(second.keyId, first.keyId)
  assert.notEqual(second.keySecret, first.keySecret)
  assert.deepEqual([(await keys.exchange(first)).status, (await keys.exchange(second)).status], [200, 200])

  await press(page, 'Rotate: Billing server')
  await dialogOf(page).getByLabel('Stops at once').check()
  await press(dialogOf(page), 'Rotate key')
  const third = await shownSecret(page)
  await press(dialogOf(page), 'I have stored the secret')
  await page.getByText('The old one no longer works.').waitFor()
  const statuses = [await keys.exchange(first), await keys.exchange(second), await keys.exchange(third)].map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses, [401, 401, 200])
  assert.equal((await keys.list(token)).length, 1)
  await assertClean()
})

test('revoking names the key, changes nothing on "Cancel", and ends the key’s tokens at once but not those of keys it made', async () => {
  const { page, token, assertClean } = await keys.openAccount('revokes')
  const parent = await keys.make(token, 'Parent')
  const parentToken = (await keys.exchange(parent)).body.token
  const child = await keys.make(parentToken, 'Child')
  const childToken = (await keys.exchange(child)).body.token

  await page.goto('/dashboard/profile')
  await press(page, 'Revoke: Parent')
  await dialogOf(page).getByRole('heading', { name: 'Revoke “Parent”?' }).waitFor()
  await dialogOf(page).getByText(parent.keyId).waitFor()
  await dialogOf(page).locator('button:focus').getByText('Cancel').waitFor()
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.locator('[aria-label="Revoke: Parent"]:focus').waitFor()
  assert.deepEqual([await keys.statusFor(parentToken), await keys.statusFor(childToken)], [200, 200])

  await press(page, 'Revoke: Parent')
  await dialogOf(page).getByLabel('Also revoke the key it created').waitFor()
  await press(dialogOf(page), 'Revoke key')
  await page.getByText('“Parent” is revoked. The key and its tokens no longer work.').waitFor()
  assert.deepEqual([await keys.statusFor(parentToken), await keys.statusFor(childToken)], [401, 200])
  await page.locator('#api-access:focus').waitFor()
  await page.getByText('Inactive keys (1)').click()
  await page.getByRole('row', { name: /Parent Revoked/ }).waitFor()
  await assertClean()
})

test('before a revocation the last use is read again, and a use that is not on record yet is not denied', async () => {
  const { page, token, assertClean } = await keys.openAccount('used')
  await keys.make(token, 'Worker')
  await page.goto('/dashboard/profile')
  await press(page, 'Revoke: Worker')
  await dialogOf(page).getByText('No use is on record. A use within the last minute may not be shown yet.').waitFor()
  await press(dialogOf(page), 'Cancel')
  // As once the use is written, within a minute.
  await page.route('**/api/v1/auth/api-keys', async (route) => {
    const { apiKeys } = await (await route.fetch()).json()
    const lastUsedAt = new Date(Date.now() - 120_000).toISOString()
    await route.fulfill({ json: { apiKeys: apiKeys.map((each: object) => Object.assign(each, { lastUsedAt })) } })
  })
  await press(page, 'Revoke: Worker')
  await dialogOf(page).getByText('It was last used 2 minutes ago.').waitFor()
  await assertClean()
})

test('revoking a key with the keys it made ends all their tokens at once, and no other key’s', async () => {
  const { page, token, assertClean } = await keys.openAccount('family')
  const parent = await keys.make(token, 'Parent')
  const other = await keys.make(token, 'Other')
  const tokens = {
    parent: (await keys.exchange(parent)).body.token,
    other: (await keys.exchange(other)).body.token,
    child: '',
    grandchild: '',
  }
  tokens.child = (await keys.exchange(await keys.make(tokens.parent, 'Child'))).body.token
  tokens.grandchild = (await keys.exchange(await keys.make(tokens.child, 'Grandchild'))).body.token

  await page.goto('/dashboard/profile')
  await press(page, 'Revoke: Parent')
  await dialogOf(page).getByLabel('Also revoke the 2 keys it created').check()
  assert.deepEqual(
    (await dialogOf(page).getByRole('listitem').allInnerTexts()).map((text) => text.split(' ')[0]),
    ['Grandchild', 'Child'],
  )
  await press(dialogOf(page), 'Revoke 3 keys')
  await page.getByText('“Parent” and the 2 keys it created are revoked.').waitFor()
  for (const [whose, each] of Object.entries(tokens)) {
    assert.equal(await keys.statusFor(each), whose === 'other' ? 200 : 401, whose)
  }
  assert.deepEqual(await page.locator('table').first().getByRole('rowheader').count(), 1)
  await assertClean()
})

test('a key that awaits its owner is on top; after "keep" it works, after "revoke" it never does', async () => {
  const email = 'owner@gmail.com'
  const signUp = await web.callApi('POST /auth/api/signup', { body: { email, keyName: 'Early bird' } })
  const second = await keys.make(signUp.body.token, 'Stranger')
  const early = { keyId: signUp.body.apiKey.keyId as string, keySecret: signUp.body.keySecret as string }
  const { page, token, assertClean } = await keys.openAccount('owner')
  await page.goto('/dashboard/profile')
  await page.getByRole('heading', { name: 'Review 2 keys' }).waitFor()
  assert.equal((await keys.exchange(early)).status, 403)

  await press(page, 'Keep: Early bird')
  await page.getByText('“Early bird” is kept and works again.').waitFor()
  await page.getByRole('heading', { name: 'Review this key' }).waitFor()
  assert.deepEqual([(await keys.exchange(early)).status, (await keys.exchange(second)).status], [200, 403])
  await press(page, 'Revoke: Stranger')
  await press(dialogOf(page), 'Revoke key')
  await page.getByText('“Stranger” is revoked.').waitFor()
  assert.equal(await page.getByRole('heading', { name: /wait/ }).count(), 0)
  assert.equal((await keys.exchange(second)).status, 401)
  assert.deepEqual(
    (await keys.list(token)).map(({ status }) => status),
    ['REVOKED', 'ACTIVE'],
  )
  await assertClean()
})

test('a key over the limit is refused in the dialog, which keeps the input; no key is made', async () => {
  const { page, token, assertClean } = await keys.openAccount('limit')
  for (let made = 0; made < 25; made++) await keys.make(token, `Key ${made}`)
  await page.goto('/dashboard/profile')
  await press(page, 'Create key')
  await dialogOf(page).getByLabel('Name').fill('One more')
  await press(dialogOf(page), 'Create key')
  await dialogOf(page).getByRole('alert').getByText('Revoke one first').waitFor()
  assert.equal(await dialogOf(page).getByLabel('Name').inputValue(), 'One more')
  assert.equal((await keys.list(token)).length, 25)
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await assertClean()
})
