/** What a "not me" undoes: the sign-in that used the mail's own link and all keys it had a hand in, or what a notice told of. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/answers.ts'
import { buttonIn, eventsOf, press, signInMail } from '../../support/buttons.ts'
import type { SignInMail } from '../../support/buttons.ts'
import { tick } from '../../support/clock.ts'
import { createKey, exchange, listKeys, statesOf, tokenOf } from '../../support/keys.ts'
import type { NewKey } from '../../support/keys.ts'
import { verify } from '../../support/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { contentOf, recipientsOf, userOf } from '../../support/state.ts'

let service: Service

before(async () => {
  service = await startService()
  // Nothing here may rest on two things happening in the same millisecond.
  tick(service.clock)
})
after(() => service.close())

const statusOf = async (key: NewKey) => (await exchange(service, key)).body.error?.code ?? 'works'
const versionOf = async (email: string) => (await userOf(service.db, email)).token_version
const keep = (token: string, { apiKey }: NewKey) =>
  service.call(`POST /auth/api-keys/${apiKey.id}/keep`, { token })

async function rotate(token: string, { apiKey }: NewKey, graceSeconds = 0): Promise<NewKey> {
  const answer = await service.call(`POST /auth/api-keys/${apiKey.id}/rotate`, { token, body: { graceSeconds } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function signInWith({ link }: SignInMail): Promise<string> {
  const answer = await verify(service, link)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token
}

async function pressOf({ notMe }: Pick<SignInMail, 'notMe'>): Promise<void> {
  assert.equal((await press(service, 'not-me', notMe)).status, 200)
}

/** An owner who is signed in, and the mail with whose link somebody else has signed in. */
async function burgled(email: string) {
  const owner = await service.signIn(email)
  const mail = await signInMail(service, email)
  return { owner, mail, thief: await signInWith(mail) }
}

/** The not-me of the next mail that holds these words. */
async function noticed(email: string, words: string): Promise<Pick<SignInMail, 'notMe'>> {
  const mail = await service.smtp.mailTo(email, 5000, words)
  await recipientsOf(service)
  return { notMe: buttonIn(mail, 'not-me') }
}

describe('where the mail’s own link was used', () => {
  test('every token dies, the keys of that sign-in and what they made wait, other keys work on', async () => {
    const { owner, mail, thief } = await burgled('ana@example.com')
    const good = await createKey(service, owner, { name: 'good' })
    const goodToken = await tokenOf(service, good)
    const bad = await createKey(service, thief, { name: 'bad' })
    const badToken = await tokenOf(service, bad)
    const child = await createKey(service, badToken, { name: 'child' })
    const childToken = await tokenOf(service, child)
    const grandchild = await createKey(service, childToken, { name: 'grandchild' })
    await pressOf(mail)

    const tokens = [owner, thief, goodToken, badToken, childToken]
    assert.deepEqual(new Set(await statesOf(service, tokens)), new Set(['UNAUTHORIZED']))
    const states = [await statusOf(good)]
    for (const key of [bad, child, grandchild]) states.push(await statusOf(key))
    assert.deepEqual(states, ['works', 'KEY_AWAITS_OWNER', 'KEY_AWAITS_OWNER', 'KEY_AWAITS_OWNER'])
    assertError(await service.call('POST /auth/api-keys', { token: thief, body: {} }), 'UNAUTHORIZED')
    assert.equal(await versionOf('ana@example.com'), 1)
  })

  test('keys that sign-in gave a new secret wait, with or without grace for the old one', async () => {
    const { owner, mail, thief } = await burgled('bob@example.com')
    const [atOnce, inGrace, untouched] = [
      await createKey(service, owner),
      await createKey(service, owner),
      await createKey(service, owner),
    ]
    const stolen = [await rotate(thief, atOnce), await rotate(thief, inGrace, 60)]
    assert.deepEqual([await statusOf(atOnce), await statusOf(inGrace)], ['INVALID_CREDENTIALS', 'works'])
    await pressOf(mail)
    for (const key of [...stolen, inGrace]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
    assert.equal(await statusOf(untouched), 'works')
  })

  test('keys that sign-in had let work again wait again', async () => {
    const email = 'cia@example.com'
    const planted = await service.signUp(email)
    const mail = await signInMail(service, email)
    const thief = await signInWith(mail)
    assert.equal((await keep(thief, planted)).status, 200)
    assert.equal(await statusOf(planted), 'works')
    await pressOf(mail)
    assert.equal(await statusOf(planted), 'KEY_AWAITS_OWNER')
  })

  test('a key that gives itself a new secret stays with the sign-in that made it', async () => {
    const { owner, mail, thief } = await burgled('dan@example.com')
    const bad = await createKey(service, thief)
    const badAgain = await rotate(await tokenOf(service, bad), bad)
    const good = await createKey(service, owner)
    const goodAgain = await rotate(await tokenOf(service, good), good)
    await pressOf(mail)
    assert.equal(await statusOf(badAgain), 'KEY_AWAITS_OWNER')
    assert.equal(await statusOf(goodAgain), 'works')
  })

  test('keys of one sign-in that give each other new secrets stay in its reach', async () => {
    const { mail, thief } = await burgled('didi@example.com')
    const parent = await createKey(service, thief)
    const child = await createKey(service, await tokenOf(service, parent))
    const parentAgain = await rotate(await tokenOf(service, child), parent)
    await pressOf(mail)
    for (const key of [parentAgain, child]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
  })

  test('a key that is revoked stays revoked, and the owner gets everything else back', async () => {
    const email = 'eva@example.com'
    const { owner, mail, thief } = await burgled(email)
    const revoked = await createKey(service, thief)
    const wanted = await createKey(service, thief)
    await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token: owner })
    await pressOf(mail)

    const again = await signInWith(await signInMail(service, email))
    const statuses = (await listKeys(service, again)).map((key) => key.status)
    assert.deepEqual(statuses, ['AWAITS_OWNER', 'REVOKED'])
    assert.equal((await keep(again, wanted)).status, 200)
    assert.deepEqual([await statusOf(wanted), await statusOf(revoked)], ['works', 'INVALID_CREDENTIALS'])
  })

  test('a second press undoes nothing more: what the owner allowed since then goes on', async () => {
    const email = 'fay@example.com'
    const { mail, thief } = await burgled(email)
    const key = await createKey(service, thief)
    await pressOf(mail)
    const again = await signInWith(await signInMail(service, email))
    await keep(again, key)
    await pressOf(mail)
    assert.deepEqual(await statesOf(service, [again]), [email])
    assert.equal(await statusOf(key), 'works')
  })

  test('days later, and whichever of its mails is pressed first, it is that sign-in that goes', async () => {
    const email = 'gus@example.com'
    const { mail, thief } = await burgled(email)
    const bad = await createKey(service, thief)
    service.clock.advance(6 * 24 * 3600 * 1000)
    await pressOf(await signInMail(service, email))
    assert.deepEqual(await statesOf(service, [thief]), [email], 'another mail’s link was not used')
    await pressOf(mail)
    assert.deepEqual(await statesOf(service, [thief]), ['UNAUTHORIZED'])
    assert.equal(await statusOf(bad), 'KEY_AWAITS_OWNER')
  })
})

test('where another mail’s link was used nobody is signed out, and no key waits', async () => {
  const email = 'hal@example.com'
  const mails = [await signInMail(service, email), await signInMail(service, email)] as const
  const owner = await signInWith(mails[0])
  const key = await createKey(service, owner)
  await pressOf(mails[1])
  assert.deepEqual(await statesOf(service, [owner]), [email])
  assert.equal(await statusOf(key), 'works')
  assert.equal(await versionOf(email), 0)
})

test('the buttons of an account that was deleted do nothing to the next one of its address', async () => {
  const email = 'ian@example.com'
  const mail = await signInMail(service, email)
  const first = await signInWith(mail)
  assert.equal((await service.call('DELETE /users/me', { token: first })).status, 200)
  const token = await service.signIn(email)
  assertError(await press(service, 'not-me', mail.notMe), 'LINK_INVALID')
  assert.deepEqual(await statesOf(service, [token]), [email])
})

describe('the not-me of a notice about keys', () => {
  test('lets the key it told of wait, and what that made; kills every token; leaves all other keys', async () => {
    const email = 'jon@example.com'
    const owner = await service.signIn(email)
    const before = await createKey(service, owner, { name: 'before' })
    await noticed(email, 'before')
    const told = await createKey(service, owner, { name: 'told' })
    const notice = await noticed(email, 'told')
    const child = await createKey(service, await tokenOf(service, told), { name: 'child' })
    const since = await createKey(service, owner, { name: 'since' })
    await noticed(email, 'since')
    await pressOf(notice)

    const states = []
    for (const key of [before, told, child, since]) states.push(await statusOf(key))
    assert.deepEqual(states, ['works', 'KEY_AWAITS_OWNER', 'KEY_AWAITS_OWNER', 'works'])
    assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
    const pressed = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
    assert.deepEqual(pressed, [{ type: 'not_me', detail: 'security_notice', client: '127.0.0.1' }])
  })

  test('does the same for a key that got a new secret', async () => {
    const email = 'kim@example.com'
    const owner = await service.signIn(email)
    const key = await createKey(service, owner, { name: 'kept' })
    await noticed(email, 'was made from')
    const stolen = await rotate(owner, key)
    await pressOf(await noticed(email, 'got a new secret'))
    assert.equal(await statusOf(stolen), 'KEY_AWAITS_OWNER')
    assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
  })

  test('reaches a key that was given another secret since: a thief cannot rotate it out of reach', async () => {
    const email = 'lea@example.com'
    const thief = await service.signIn(email)
    const key = await createKey(service, thief)
    const notice = await noticed(email, 'was made from')
    const rotated = await rotate(thief, key)
    await pressOf(notice)
    assert.equal(await statusOf(rotated), 'KEY_AWAITS_OWNER')
  })

  test('signs nobody out where the keys it told of are gone', async () => {
    const email = 'mia@example.com'
    const owner = await service.signIn(email)
    const key = await createKey(service, owner)
    const notice = await noticed(email, 'was made from')
    await service.call('POST /auth/api-keys/leaked', { body: { secrets: [{ keySecret: key.keySecret }] } })
    const leak = await noticed(email, 'found in the open')
    for (const mail of [notice, leak]) await pressOf(mail)
    assert.deepEqual(await statesOf(service, [owner]), [email])
    assert.equal(await versionOf(email), 0)
  })
})

describe('the not-me of the news of a signup', () => {
  test('ends everything of an account whose address nobody has proven', async () => {
    const email = 'ned@example.com'
    const answer = await service.call('POST /auth/api/signup', { body: { email } })
    const notice = await noticed(email, 'made an account')
    const more = await createKey(service, answer.body.token)
    await pressOf(notice)
    assert.deepEqual(await statesOf(service, [answer.body.token]), ['UNAUTHORIZED'])
    for (const key of [answer.body, more]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
    assert.equal((await contentOf(service.db)).pauses.some((pause) => pause.email === email), true)
    assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')

    const owner = await signInWith(await signInMail(service, email))
    assert.deepEqual(await statesOf(service, [owner]), [email], 'and its owner is let in')
  })

  test('signs nobody out once the owner has claimed it', async () => {
    const email = 'oda@example.com'
    const { body: planted } = await service.call('POST /auth/api/signup', { body: { email } })
    const notice = await noticed(email, 'made an account')
    const owner = await service.signIn(email)
    const own = await createKey(service, owner)
    await keep(owner, planted)
    await pressOf(notice)
    assert.deepEqual(await statesOf(service, [owner]), [email])
    for (const key of [own, planted]) assert.equal(await statusOf(key), 'works')
  })
})
