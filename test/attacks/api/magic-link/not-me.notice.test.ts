/** The not-me button of a notice undoes the keys that it reports, and an account whose address nobody has proven. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { buttonIn, eventsOf, pressNotMe } from '../../../support/mail/buttons.ts'
import { tick } from '../../../support/clock.ts'
import {
  createKey,
  exchangesOf,
  keepKey,
  rotateKey,
  statesOf,
  tokenOf,
  updateKey,
} from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { databaseContent, recipientsOf, userOf } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
  // Distinct timestamps: the result must not depend on two events in one millisecond.
  tick(service.clock)
})
after(() => service.close())

const statusOf = async (key: NewKey) => (await exchangesOf(service, [key]))[0]
const versionOf = async (email: string) => (await userOf(service.db, email)).token_version
const press = (button: string) => pressNotMe(service, button)

/** The not-me token of the next mail that contains these words. */
async function notMeFrom(email: string, words: string): Promise<string> {
  const mail = await service.smtp.mailTo(email, 5000, words)
  await recipientsOf(service)
  return buttonIn(mail, 'not-me')
}

describe('the not-me of a notice about keys', () => {
  test('makes the reported key, its descendants and the other keys of its sign-in await the owner, and ends every token; other keys keep working', async () => {
    const email = 'jon@example.com'
    const owner = await service.signIn(email)
    const earlier = await createKey(service, owner, { name: 'earlier' })
    await notMeFrom(email, 'earlier')
    const thief = await service.signIn(email)
    const previous = await createKey(service, thief, { name: 'previous' })
    await notMeFrom(email, 'previous')
    const told = await createKey(service, thief, { name: 'told' })
    const notice = await notMeFrom(email, 'told')
    const child = await createKey(service, await tokenOf(service, told), { name: 'child' })
    const since = await createKey(service, owner, { name: 'since' })
    await notMeFrom(email, 'since')
    await press(notice)

    const states = await exchangesOf(service, [earlier, since, previous, told, child])
    const AWAITS = 'KEY_AWAITS_OWNER'
    assert.deepEqual(states, ['works', 'works', AWAITS, AWAITS, AWAITS])
    assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
    const pressed = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
    assert.deepEqual(pressed, [{ type: 'not_me', detail: 'security_notice', client: '127.0.0.1' }])
  })

  test('does the same for a key that was rotated', async () => {
    const email = 'kim@example.com'
    const owner = await service.signIn(email)
    const key = await createKey(service, owner, { name: 'kept' })
    await notMeFrom(email, 'was created from')
    const stolen = await rotateKey(service, owner, key)
    await press(await notMeFrom(email, 'got a new secret'))
    assert.equal(await statusOf(stolen), 'KEY_AWAITS_OWNER')
    assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
  })

  test('does the same for a key that was allowed to do more, and not for one that was only narrowed', async () => {
    const email = 'liv@example.com'
    const owner = await service.signIn(email)
    const restricted = { restrictions: { scopes: ['keys:read'] } }
    const [agent, other] = [
      await createKey(service, owner, { name: 'agent', ...restricted }),
      await createKey(service, owner, { name: 'other' }),
    ]
    await notMeFrom(email, 'other')
    const thief = await service.signIn(email)
    await updateKey(service, thief, agent, { restrictions: null })
    const notice = await notMeFrom(email, 'do more')
    await updateKey(service, owner, other, restricted)
    const child = await createKey(service, await tokenOf(service, agent), { name: 'child' })
    await press(notice)
    const AWAITS = 'KEY_AWAITS_OWNER'
    assert.deepEqual(await exchangesOf(service, [agent, child, other]), [AWAITS, AWAITS, 'works'])
    assert.deepEqual(await statesOf(service, [thief, owner]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  })

  test('reaches a key that was rotated again since, so a thief cannot rotate it out of reach', async () => {
    const email = 'lea@example.com'
    const thief = await service.signIn(email)
    const key = await createKey(service, thief)
    const notice = await notMeFrom(email, 'was created from')
    const rotated = await rotateKey(service, thief, key)
    await press(notice)
    assert.equal(await statusOf(rotated), 'KEY_AWAITS_OWNER')
  })

  test('reaches the key whose token created the reported one, and that key’s other descendants', async () => {
    const email = 'max@example.com'
    const stolen = await createKey(service, await service.signIn(email))
    await notMeFrom(email, 'was created from')
    const other = await createKey(service, await tokenOf(service, stolen), { name: 'other' })
    await notMeFrom(email, 'other')
    const told = await createKey(service, await tokenOf(service, stolen), { name: 'told' })
    await press(await notMeFrom(email, 'told'))
    const AWAITS = 'KEY_AWAITS_OWNER'
    assert.deepEqual(await exchangesOf(service, [stolen, other, told]), [AWAITS, AWAITS, AWAITS])
  })

  test('reaches a key that rotated itself, even twice', async () => {
    const email = 'sam@example.com'
    const key = await createKey(service, await service.signIn(email))
    await notMeFrom(email, 'was created from')
    const once = await rotateKey(service, await tokenOf(service, key), key)
    const notice = await notMeFrom(email, 'got a new secret')
    service.clock.advance(60_000)
    const twice = await rotateKey(service, await tokenOf(service, once), once)
    await press(notice)
    assert.equal(await statusOf(twice), 'KEY_AWAITS_OWNER')
  })

  test('about a leak reaches the keys that the leaked key created', async () => {
    const email = 'pat@example.com'
    const key = await createKey(service, await service.signIn(email))
    await notMeFrom(email, 'was created from')
    const made = await createKey(service, await tokenOf(service, key), { name: 'made' })
    await notMeFrom(email, 'made')
    service.clock.advance(60_000)
    await service.call('POST /auth/api-keys/leaked', { body: { secrets: [{ keySecret: key.keySecret }] } })
    await press(await notMeFrom(email, 'found in public'))
    assert.equal(await statusOf(made), 'KEY_AWAITS_OWNER')
  })

  test('ends all sessions even if the reported keys are already revoked, since their creator may still be signed in', async () => {
    const email = 'mia@example.com'
    const owner = await service.signIn(email)
    const key = await createKey(service, owner)
    const notice = await notMeFrom(email, 'was created from')
    await service.call('POST /auth/api-keys/leaked', { body: { secrets: [{ keySecret: key.keySecret }] } })
    const leak = await notMeFrom(email, 'found in public')
    for (const mail of [notice, leak]) await press(mail)
    assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
    assert.equal(await versionOf(email), 2)
  })
})

describe('the not-me of a signup notice', () => {
  test('ends all access to an account whose address nobody has proven', async () => {
    const email = 'ned@example.com'
    const answer = await service.call('POST /auth/api/signup', { body: { email } })
    const notice = await notMeFrom(email, 'created an account')
    const more = await createKey(service, answer.body.token)
    await press(notice)
    assert.deepEqual(await statesOf(service, [answer.body.token]), ['UNAUTHORIZED'])
    for (const key of [answer.body, more]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
    assert.equal(
      (await databaseContent(service.db)).pauses.some((pause) => pause.email === email),
      true,
    )
    assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')

    const owner = await service.signIn(email)
    assert.deepEqual(await statesOf(service, [owner]), [email], 'the owner can sign in')
  })

  test('ends no session once the owner has claimed the account', async () => {
    const email = 'oda@example.com'
    const { body: planted } = await service.call('POST /auth/api/signup', { body: { email } })
    const notice = await notMeFrom(email, 'created an account')
    const owner = await service.signIn(email)
    const own = await createKey(service, owner)
    await keepKey(service, owner, planted)
    await press(notice)
    assert.deepEqual(await statesOf(service, [owner]), [email])
    for (const key of [own, planted]) assert.equal(await statusOf(key), 'works')
  })
})
