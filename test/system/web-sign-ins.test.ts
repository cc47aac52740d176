/** The sign-ins on the profile, signing out, and what a mail's "This wasn't me" shows of the sign-in by its link. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible, assertReachedByKeyboard } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, OpenPage, Web } from '../support/browser/web.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const statusOf = async (token: string): Promise<number> => (await web.callApi('GET /users/me', { token })).status
const hasFocus = async (one: Locator): Promise<boolean> => (await one.and(one.page().locator(':focus')).count()) === 1
const keptToken = (page: Page) => page.evaluate<string | null>('localStorage.getItem("token")')
const section = (page: Page) => page.getByRole('region', { name: 'Sign-ins' })
const rowsOf = (page: Page) => section(page).getByRole('listitem')
const signOutOf = (row: Locator) => row.getByRole('button', { name: 'Sign out' })
const eventsOf = async (token: string): Promise<readonly { type: string; signInId: string | null }[]> =>
  (await web.callApi('GET /auth/events', { token })).body.events

/** A profile in Chrome on Windows, after a sign-in of the same person by a program. */
async function openProfile(name: string, look?: Look): Promise<OpenPage & { token: string; other: string }> {
  const opened = await web.openPage({ userAgent: WINDOWS, ...look })
  const other = await web.signInWithGoogle(`${name}@gmail.com`, 'Ana')
  const token = await web.signInWithGoogle(`${name}@gmail.com`, undefined, WINDOWS)
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  await opened.page.goto('/dashboard/profile')
  return { ...opened, token, other }
}

test('the profile lists sign-ins in words, this browser first; "Sign out" ends that one alone, on the next call', async () => {
  const { page, token, other, assertClean } = await openProfile('list')
  const phone = await web.openPage({ userAgent: IPHONE })
  const ofPhone = await web.signIn(phone.page, 'list@gmail.com')
  web.execute(
    `update sign_ins set last_seen_at_ms = last_seen_at_ms - 7200000 where browser = 'Safari on iOS'
     and user_id = (select id from users where email = ?)`,
    'list@gmail.com',
  )
  await page.reload()
  await rowsOf(page).nth(2).waitFor()
  const rows = await rowsOf(page).allInnerTexts()
  assert.match(
    rows[0] ?? '',
    /^Chrome on Windows\s+This browser\s+127\.0\.0\.0\/24 · active now · signed in with Google since \d\d:\d\d:\d\d/,
  )
  assert.match(rows[1] ?? '', /^A program, or an unknown browser\s+127\.0\.0\.0\/24 · active now/)
  assert.match(
    rows[2] ?? '',
    /^Safari on iOS\s+127\.0\.0\.0\/24 · active 2 hours ago · signed in with an e-mail link since/,
  )
  await assertAccessible(page, 'the profile with sign-ins')
  assert.deepEqual([await statusOf(token), await statusOf(other), await statusOf(ofPhone)], [200, 200, 200])

  await signOutOf(rowsOf(page).filter({ hasText: 'Safari on iOS' })).click()
  await page.getByRole('status').getByText('Safari on iOS is signed out.').waitFor()
  await rowsOf(page).nth(2).waitFor({ state: 'detached' })
  assert.equal(await hasFocus(page.getByRole('heading', { name: 'Sign-ins' })), true)
  assert.deepEqual([await statusOf(token), await statusOf(other), await statusOf(ofPhone)], [200, 200, 401])
  const ended = (await eventsOf(token)).filter(({ type }) => type === 'signed_out')
  assert.equal(ended.length, 1)

  await page.goto('/dashboard/activity')
  const event = page.getByRole('listitem').filter({ hasText: 'Signed out' })
  await event.getByText('sign-in of Safari on iOS').waitFor()
  await assertClean()
  await phone.assertClean()
})

test('a press is shown as pending and makes one call; unless it is confirmed, the sign-in stays in the list', async () => {
  const { page, context, other, assertClean } = await openProfile('again')
  const calls: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/auth/sessions/*/revoke', async (route) => {
    calls.push(route.request().url())
    await released
    await route.abort()
  })
  const row = rowsOf(page).filter({ hasText: 'A program' })
  await signOutOf(row).click()
  const pending = row.getByRole('button', { name: 'Signing out…' })
  assert.equal(await pending.getAttribute('aria-disabled'), 'true')
  await pending.click({ force: true })
  release()
  await page.getByRole('status').getByText('may still be signed in. The service could not be reached.').waitFor()
  assert.equal(calls.length, 1)
  assert.equal(await rowsOf(page).count(), 2)
  assert.equal(await statusOf(other), 200)
  await context.unroute('**/auth/sessions/*/revoke')
  await signOutOf(row).click()
  await row.waitFor({ state: 'detached' })
  assert.equal(await statusOf(other), 401)
  await assertClean()
})

test('"Sign out" of this browser, in the list and in the menu, ends its sign-in at the service', async () => {
  for (const from of ['list', 'menu']) {
    const { page, token, other, assertClean } = await openProfile(`own-${from}`)
    if (from === 'list') await signOutOf(rowsOf(page).filter({ hasText: 'This browser' })).click()
    else {
      await page.locator('button[popovertarget]').click()
      await page.locator('[popover]').getByRole('button', { name: 'Sign out' }).click()
    }
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    assert.equal(page.url(), `${web.origin}/`)
    assert.equal(await keptToken(page), null)
    assert.deepEqual([await statusOf(token), await statusOf(other)], [401, 200], from)
    await assertClean()
  }
})

test('without an answer, "Sign out" forgets the token all the same, and says that the sign-in may live on', async () => {
  const { page, context, token, assertClean } = await openProfile('offline')
  await context.route('**/auth/sign-out', (route) => route.abort())
  await page.locator('button[popovertarget]').click()
  await page.locator('[popover]').getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Signed out in this browser only' })
  await dialog.getByText('for at most seven days').waitFor()
  assert.equal(await keptToken(page), null)
  assert.equal(await statusOf(token), 200)
  await assertAccessible(page, 'a sign-out that is not confirmed')
  await page.keyboard.press('Escape')
  await dialog.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  await assertClean()
})

test('a sign-in that has ended elsewhere needs no further call: "Sign out" goes to the sign-in page', async () => {
  const { page, token, other, assertClean } = await openProfile('elsewhere')
  await rowsOf(page).first().waitFor()
  const { sessions } = (await web.callApi('GET /auth/sessions', { token })).body
  const { id } = sessions.find(({ current }: { current: boolean }) => current)
  assert.equal((await web.callApi(`POST /auth/sessions/${id}/revoke`, { token: other })).status, 200)
  await page.locator('button[popovertarget]').click()
  await page.locator('[popover]').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await assertClean()
})

test('on a Romanian phone in the dark many sign-ins fit: five, and the others behind one button', async () => {
  for (let time = 0; time < 7; time += 1) await web.signInWithGoogle('many@gmail.com', 'Ana')
  const { page, assertClean } = await openProfile('many', { locale: 'ro-RO', width: 360, colorScheme: 'dark' })
  // A second apart: sign-ins of one browser differ in nothing but their start.
  web.execute(
    `update sign_ins set created_at_ms = created_at_ms - 1000 *
       (select count(*) from sign_ins other where other.user_id = sign_ins.user_id and other.id > sign_ins.id)
     where user_id = (select id from users where email = ?)`,
    'many@gmail.com',
  )
  await page.reload()
  const rows = page.getByRole('region', { name: 'Autentificări' }).getByRole('listitem')
  await page.getByText('Încă 4 autentificări').waitFor()
  assert.equal(await rows.filter({ visible: true }).count(), 5)
  await page.getByText('Încă 4 autentificări').click()
  assert.equal(await rows.filter({ visible: true }).count(), 9)
  await rows.first().getByText('Acest browser').waitFor()
  const labels = await rows.getByRole('button').evaluateAll((all) => all.map((one: any) => one.ariaLabel))
  assert.equal(new Set(labels).size, 9, 'each button says which sign-in it ends')
  await assertAccessible(page, 'nine sign-ins on a phone')
  await assertReachedByKeyboard(page, 'the profile with sign-ins')
  await assertClean()
})

test('"This wasn’t me" shows the mail and the sign-in by its link before anything is pressed', async () => {
  const { page, assertClean } = await web.openPage({ userAgent: WINDOWS })
  const used = await web.openPage({ userAgent: WINDOWS })
  const token = await web.signIn(used.page, 'stolen@example.com')
  const button = await web.mailedLink('stolen@example.com', '/not-me#token=')
  await page.goto(button)
  await page.getByText('An e-mail with a sign-in link, sent on').waitFor()
  await page.getByText('s***@example.com').waitFor()
  await page.getByText('Its link was used to sign in:').waitFor()
  await page.getByText(/Chrome on Windows · 127\.0\.0\.0\/24 · /).waitFor()
  assert.equal(page.url(), `${web.origin}/not-me`)
  await assertAccessible(page, 'what a mail was about')
  assert.equal(await statusOf(token), 200, 'nothing is done before the click')
  await page.getByRole('button', { name: 'This wasn’t me' }).click()
  await page.getByText('Done. You can still sign in').waitFor()
  assert.equal(await statusOf(token), 401)
  await page.goto(button)
  await page.getByText('You confirmed this before').waitFor()

  await page.goto('/not-me#token=unknown')
  await page.getByRole('alert').getByText('not valid or has expired').waitFor()
  assert.equal(await page.getByRole('button', { name: 'This wasn’t me' }).count(), 0)
  await assertClean()
})

test('of a mail that reports, "This wasn’t me" says what it reports and what the button does about it', async () => {
  const { page, token, other, assertClean } = await openProfile('told', { width: 360 })
  await page.goto(await web.mailedLink('told@gmail.com', '/not-me#token='))
  await page.getByText('An e-mail about a new sign-in, sent on').waitFor()
  await page.getByText('It reports this sign-in: Chrome on Windows').waitFor()
  await page.getByText('The sign-in that it reports ends, and so does every other one.').waitFor()
  assert.equal(await page.getByText('used the link in that e-mail').count(), 0)
  await page.getByRole('button', { name: 'This wasn’t me' }).click()
  await page.getByText('Done. You can still sign in').waitFor()
  assert.deepEqual([await statusOf(token), await statusOf(other)], [401, 401])
  await assertClean()

  const changed = await openProfile('asked', { locale: 'ro-RO' })
  const asked = { token: changed.token, body: { email: 'asked.new@example.com' } }
  assert.equal((await web.callApi('POST /users/me/email', asked)).status, 202)
  const shown = [
    ['asked.new@example.com', 'Linkul din acel e-mail nu mai poate da această adresă unui cont.'],
    ['asked@gmail.com', 'Schimbarea de adresă raportată în el se oprește.'],
  ] as const
  // The notice of the new browser is mailed first.
  await web.mailedLink('asked@gmail.com', '/not-me#token=')
  for (const [email, text] of shown) {
    await changed.page.goto(await web.mailedLink(email, '/not-me#token='))
    await changed.page.getByText(text).waitFor()
    assert.equal(await changed.page.getByText('a folosit linkul').count(), 0)
  }
  await changed.assertClean()
})
