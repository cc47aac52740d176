/** The not-me of a sign-in mail undoes the sign-in by its link and every key that this created or changed. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { press, pressNotMe, signInMail } from '../../../support/mail/buttons.ts'
import type { SignInMail } from '../../../support/mail/buttons.ts'
import { tick } from '../../../support/clock.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import {
  createKey,
  exchangesOf,
  keepKey,
  listKeys,
  rotateKey,
  statesOf,
  tokenOf,
} from '../../../support/accounts/keys.ts'
import { verify } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
  // Distinct timestamps: the result must not depend on two events in one millisecond.
  tick(service.clock)
})
after(() => service.close())

const statusOf = async (key: NewKey) => (await exchangesOf(service, [key]))[0]
const versionOf = async (email: string) => (await userOf(service.db, email)).token_version
const pressOf = ({ notMe }: SignInMail) => pressNotMe(service, notMe)

async function signInWith({ link }: SignInMail): Promise<string> {
  const answer = await verify(service, link)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token
}

/** An owner's token, a sign-in mail, and the token of a thief who used that mail's link. */
async function stolenSignIn(email: string) {
  const owner = await service.signIn(email)
  const mail = await signInMail(service, email)
  return { owner, mail, thief: await signInWith(mail) }
}

describe('when the mail’s own link was used', () => {
  test('every token ends, the keys of that sign-in and their descendants await the owner, and other keys keep working', async () => {
    const { owner, mail, thief } = await stolenSignIn('ana@example.com')
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
    const waiting = 'KEY_AWAITS_OWNER'
    const states = await exchangesOf(service, [good, bad, child, grandchild])
    assert.deepEqual(states, ['works', waiting, waiting, waiting])
    assertError(await service.call('POST /auth/api-keys', { token: thief, body: {} }), 'UNAUTHORIZED')
    assert.equal(await versionOf('ana@example.com'), 1)
  })

  test('keys that the sign-in rotated await the owner, with or without a grace period for the old secret', async () => {
    const { owner, mail, thief } = await stolenSignIn('bob@example.com')
    const [atOnce, inGrace, untouched] = [
      await createKey(service, owner),
      await createKey(service, owner),
      await createKey(service, owner),
    ]
    const stolen = [await rotateKey(service, thief, atOnce), await rotateKey(service, thief, inGrace, 60)]
    assert.deepEqual([await statusOf(atOnce), await statusOf(inGrace)], ['INVALID_CREDENTIALS', 'works'])
    await pressOf(mail)
    for (const key of [...stolen, inGrace]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
    assert.equal(await statusOf(untouched), 'works')
  })

  test('keys that the sign-in kept await the owner again', async () => {
    const email = 'cia@example.com'
    const planted = await service.signUp(email)
    const mail = await signInMail(service, email)
    const thief = await signInWith(mail)
    await keepKey(service, thief, planted)
    assert.equal(await statusOf(planted), 'works')
    await pressOf(mail)
    assert.equal(await statusOf(planted), 'KEY_AWAITS_OWNER')
  })

  test('a key that rotates itself still belongs to the sign-in or key that created it', async () => {
    const { owner, mail, thief } = await stolenSignIn('dan@example.com')
    const bad = await createKey(service, thief)
    const badToken = await tokenOf(service, bad)
    const badAgain = await rotateKey(service, badToken, bad)
    const child = await createKey(service, badToken)
    const childAgain = await rotateKey(service, await tokenOf(service, child), child)
    const good = await createKey(service, owner)
    const goodAgain = await rotateKey(service, await tokenOf(service, good), good)
    await pressOf(mail)
    for (const key of [badAgain, childAgain]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
    assert.equal(await statusOf(goodAgain), 'works')
  })

  test('keys of one sign-in that rotate themselves and each other stay within its reach', async () => {
    const { mail, thief } = await stolenSignIn('didi@example.com')
    const parent = await createKey(service, thief)
    const child = await createKey(service, await tokenOf(service, parent))
    const childAgain = await rotateKey(service, await tokenOf(service, parent), child)
    const parentAgain = await rotateKey(service, await tokenOf(service, parent), parent)
    await pressOf(mail)
    for (const key of [parentAgain, childAgain]) assert.equal(await statusOf(key), 'KEY_AWAITS_OWNER')
  })

  test('a revoked key stays revoked, and the owner can keep all others', async () => {
    const email = 'eva@example.com'
    const { owner, mail, thief } = await stolenSignIn(email)
    const revoked = await createKey(service, thief)
    const wanted = await createKey(service, thief)
    await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token: owner })
    await pressOf(mail)

    const again = await signInWith(await signInMail(service, email))
    const statuses = (await listKeys(service, again)).map((key) => key.status)
    assert.deepEqual(statuses, ['AWAITS_OWNER', 'REVOKED'])
    await keepKey(service, again, wanted)
    assert.deepEqual([await statusOf(wanted), await statusOf(revoked)], ['works', 'INVALID_CREDENTIALS'])
  })

  test('a second press changes nothing: what the owner allowed since then stays', async () => {
    const email = 'fay@example.com'
    const { mail, thief } = await stolenSignIn(email)
    const key = await createKey(service, thief)
    await pressOf(mail)
    const again = await signInWith(await signInMail(service, email))
    await keepKey(service, again, key)
    await pressOf(mail)
    assert.deepEqual(await statesOf(service, [again]), [email])
    assert.equal(await statusOf(key), 'works')
  })

  test('it undoes that sign-in days later too, whichever mail’s button is pressed first', async () => {
    const email = 'gus@example.com'
    const { mail, thief } = await stolenSignIn(email)
    const bad = await createKey(service, thief)
    service.clock.advance(6 * 24 * 3600 * 1000)
    await pressOf(await signInMail(service, email))
    assert.deepEqual(await statesOf(service, [thief]), [email], 'another mail’s link was not used')
    await pressOf(mail)
    assert.deepEqual(await statesOf(service, [thief]), ['UNAUTHORIZED'])
    assert.equal(await statusOf(bad), 'KEY_AWAITS_OWNER')
  })
})

test('the not-me of a mail whose link was not used ends no session and no key', async () => {
  const email = 'hal@example.com'
  const mails = [await signInMail(service, email), await signInMail(service, email)] as const
  const owner = await signInWith(mails[0])
  const key = await createKey(service, owner)
  await pressOf(mails[1])
  assert.deepEqual(await statesOf(service, [owner]), [email])
  assert.equal(await statusOf(key), 'works')
  assert.equal(await versionOf(email), 0)
})

test('the buttons of a deleted account do nothing to the next account with its address', async () => {
  const email = 'ian@example.com'
  const mail = await signInMail(service, email)
  const first = await signInWith(mail)
  assert.equal((await service.call('DELETE /users/me', { token: first })).status, 200)
  const token = await service.signIn(email)
  assertError(await press(service, 'not-me', mail.notMe), 'LINK_INVALID')
  assert.deepEqual(await statesOf(service, [token]), [email])
})
