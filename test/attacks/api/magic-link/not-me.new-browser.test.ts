/** The not-me of a notice of a sign-in from a new browser ends what the notice reports, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../../src/domain/upkeep.ts'
import { queueNotice } from '../../../../src/domain/mails/notices.ts'
import { findSignIns } from '../../../../src/domain/sign-in/sign-in-store.ts'
import { sha256 } from '../../../../src/lib/hash.ts'
import { changeAddress } from '../../../support/accounts/address-changes.ts'
import { createKey, exchangesOf, keepKey, statesOf, tokenOf } from '../../../support/accounts/keys.ts'
import { agents } from '../../../support/accounts/sessions.ts'
import { tick } from '../../../support/clock.ts'
import { assertNothingHappens, recipientsOf, userOf } from '../../../support/database/state.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { connect, subjectsOf } from '../../../support/google/identities.ts'
import { buttonIn, eventsOf, press, pressNotMe, signInMail } from '../../../support/mail/buttons.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'

const AWAITS = 'KEY_AWAITS_OWNER'
const DAY_MS = 24 * 3600 * 1000
let service: GoogleService
before(async () => {
  service = await startGoogleService()
  // Distinct timestamps: the result must not depend on two events in one millisecond.
  tick(service.clock)
})
after(() => service.close())

async function signInWith(agent: keyof typeof agents, email: string): Promise<string> {
  const token = await mailedToken(service, email)
  return (await verify(service, token, { headers: { 'user-agent': agents[agent] } })).body.token
}

/** The not-me token of the next notice that names the browser. */
async function notMeAbout(browser: keyof typeof agents, email: string): Promise<string> {
  const mail = await service.smtp.mailTo(email, 5000, `from ${browser}`)
  assert.equal(mail.message.subject, 'New sign-in to your account')
  await recipientsOf(service)
  return buttonIn(mail, 'not-me')
}

test('keys made by the reported sign-in await the owner, its Google account is detached and every token is revoked; what other sign-ins made stays', async () => {
  const email = 'ana@example.com'
  const owner = await signInWith('Chrome on Windows', email)
  const own = await createKey(service, owner, { name: 'own' })
  const { token_version: version } = await userOf(service.db, email)
  const thief = await signInWith('Firefox on Linux', email)
  const notMe = await notMeAbout('Firefox on Linux', email)
  const bad = await createKey(service, thief, { name: 'bad' })
  const child = await createKey(service, await tokenOf(service, bad), { name: 'child' })
  const again = await createKey(service, await signInWith('Firefox on Linux', email), { name: 'from there again' })
  await connect(service, thief, { sub: 'thief ana', email: 'thief-ana@gmail.com' })
  const byGoogle = (await oneTap(service, { sub: 'thief ana', email: 'thief-ana@gmail.com' })).body.token
  const later = await createKey(service, byGoogle, { name: 'by Google' })
  await pressNotMe(service, notMe)

  const dead = await statesOf(service, [owner, thief, byGoogle])
  assert.deepEqual(new Set(dead), new Set(['UNAUTHORIZED']))
  const made = await exchangesOf(service, [own, bad, child, later, again])
  assert.deepEqual(made, ['works', AWAITS, AWAITS, AWAITS, AWAITS])
  assert.deepEqual(await subjectsOf(service, email), [])
  assert.equal((await userOf(service.db, email)).token_version, version + 1)
  const pressed = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
  assert.deepEqual(pressed, [{ type: 'not_me', detail: 'sign_in_notice', client: '127.0.0.1' }])

  const back = await signInWith('Chrome on Windows', email)
  await keepKey(service, back, bad)
  await assertNothingHappens(service, () => press(service, 'not-me', notMe))
})

test('sign-ins after the mail and from known browsers, and other accounts, keep their keys and Google accounts', async () => {
  const email = 'bob@example.com'
  const owner = await signInWith('Chrome on Windows', email)
  await connect(service, owner, { sub: 'bob', email: 'bob@third.example' })
  await signInWith('Firefox on Linux', email)
  const notMe = await notMeAbout('Firefox on Linux', email)
  const known = await createKey(service, await signInWith('Chrome on Windows', email), { name: 'known' })
  const later = await createKey(service, await signInWith('Safari on iOS', email), { name: 'after' })
  const other = await signInWith('Firefox on Linux', 'bert@example.com')
  const foreign = await createKey(service, other, { name: 'foreign' })
  await pressNotMe(service, notMe)
  assert.deepEqual(await exchangesOf(service, [known, later, foreign]), ['works', 'works', 'works'])
  assert.deepEqual(await subjectsOf(service, email), ['bob'])
  assert.deepEqual(await statesOf(service, [owner, other]), ['UNAUTHORIZED', 'bert@example.com'])
})

test('the not-me of a notice that was sent days late still undoes the sign-in, after it has expired, and not one from a known browser meanwhile', async () => {
  const email = 'cia@example.com'
  await signInWith('Chrome on Windows', email)
  const bad = await createKey(service, await signInWith('Firefox on Linux', email), { name: 'bad' })
  const notMe = await notMeAbout('Firefox on Linux', email)
  const known = await createKey(service, await signInWith('Chrome on Windows', email), { name: 'known' })
  await service.db.query
    .updateTable('mail_buttons')
    .set((row) => ({
      mailed_at_ms: row('mailed_at_ms', '+', 6 * DAY_MS),
      expires_at_ms: row('expires_at_ms', '+', 6 * DAY_MS),
    }))
    .where('token_hash', '=', sha256(notMe))
    .execute()
  service.clock.advance(12 * DAY_MS)
  await upkeep(service.deps)
  await pressNotMe(service, notMe)
  assert.deepEqual(await exchangesOf(service, [bad, known]), [AWAITS, 'works'])
})

test('the browser of a disowned sign-in is mailed about again, and one that nobody disowned is not', async () => {
  const email = 'dan@example.com'
  await signInWith('Chrome on Windows', email)
  await signInWith('Firefox on Linux', email)
  await pressNotMe(service, await notMeAbout('Firefox on Linux', email))
  service.clock.advance(2 * DAY_MS)
  await signInWith('Firefox on Linux', email)
  await notMeAbout('Firefox on Linux', email)

  const other = 'dora@example.com'
  await signInWith('Chrome on Windows', other)
  // Strangers can cause this mail: it led to no sign-in.
  await pressNotMe(service, (await signInMail(service, other)).notMe)
  service.clock.advance(2 * DAY_MS)
  const was = (await recipientsOf(service)).filter((to) => to === other).length
  await signInWith('Chrome on Windows', other)
  assert.equal((await recipientsOf(service)).filter((to) => to === other).length, was + 1, 'the link alone')
})

test('an undone change of the address does not leave the browser behind it known', async () => {
  const [from, to] = ['eva@example.com', 'eva-thief@example.com']
  await signInWith('Chrome on Windows', from)
  const { undo } = await changeAddress(service, await signInWith('Firefox on Linux', from), { from, to })
  await notMeAbout('Firefox on Linux', from)
  assert.equal((await press(service, 'undo-email', undo)).status, 200)
  service.clock.advance(2 * DAY_MS)
  await signInWith('Firefox on Linux', from)
  await notMeAbout('Firefox on Linux', from)
})

test('a notice that waits is sent to the old address after a change of it, and its button undoes the change', async () => {
  const [from, to] = ['fay@example.com', 'fay-thief@example.com']
  await signInWith('Chrome on Windows', from)
  const token = await signInWith('Firefox on Linux', from)
  await recipientsOf(service)
  const { id } = await userOf(service.db, from)
  const signIn = (await findSignIns(service.db, id, 0)).find((one) => one.is_new_browser === 1)
  assert.ok(signIn)
  await changeAddress(service, token, { from, to })
  const user = { ...(await userOf(service.db, to)), email: from }
  await service.db.transaction((trx) => queueNotice(service.deps, trx, 'sign_in_notice', user, signIn.created_at_ms))
  service.deps.mailer.wake()
  await notMeAbout('Firefox on Linux', from)
  const notMe = await notMeAbout('Firefox on Linux', from)
  await pressNotMe(service, notMe)
  assert.equal((await userOf(service.db, from)).id, id)
})
