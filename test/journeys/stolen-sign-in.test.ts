/** A thief with a sign-in token or a mailed link calls each endpoint in a loop; one click of the owner ends it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { buttonIn, press, signInMail } from '../support/mail/buttons.ts'
import { createKey, exchange, exchangesOf, keepKey, listKeys, statesOf } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import type { GoogleService } from '../support/google/google.ts'
import {
  assertOwnerHasAll,
  assertSeen,
  loop,
  misuse,
  misuses,
  newVictim,
  startWithThief,
} from '../support/accounts/thief.ts'
import type { Victim } from '../support/accounts/thief.ts'

let service: GoogleService
before(async () => {
  ;({ service } = await startWithThief())
})
after(() => service.close())

/** What the thief has: the token, and the keys whose secrets the answers revealed. */
type Loot = { token: string; keys: NewKey[] }

/**
 * Runs the thief's loop at an endpoint while the owner clicks.
 * @returns the loop, and the statuses of calls that began after the click
 */
async function runThief(route: string, victim: Victim, loot: Loot, click: () => Promise<void>) {
  let isOver = false
  const late: number[] = []
  const thief = loop(async (n) => {
    const isLate = isOver
    const answer = await misuse(service, victim, route, loot.token, n)
    if (answer.body?.keySecret !== undefined) loot.keys.push(answer.body)
    if (isLate) late.push(answer.status)
    return answer
  })
  await thief.answered(9)
  await click()
  isOver = true
  await thief.answered(9)
  return { thief, late }
}

async function signInAgain(email: string): Promise<string> {
  const { link } = await signInMail(service, email)
  return (await service.call(`GET /auth/verify?token=${link}`)).body.token
}

/** Earlier secrets of a key with several are invalid. */
function assertNoneWorks(states: readonly string[]): void {
  assert.ok(
    states.every((state) => state === 'KEY_AWAITS_OWNER' || state === 'INVALID_CREDENTIALS'),
    states.join(' '),
  )
  assert.equal(states.at(-1), 'KEY_AWAITS_OWNER', 'the key that awaits its owner')
}

/** With these the thief ends the stolen token too. */
const endsOwnToken: ReadonlySet<string> = new Set([
  'POST /auth/tokens/revoke',
  'POST /auth/sessions/:id/revoke',
  'POST /auth/sign-out',
])

async function pressNotMe(token: string): Promise<void> {
  assert.equal((await press(service, 'not-me', token)).status, 200)
}

describe('with the token of an older sign-in', () => {
  for (const [route, { bySignIn, event, outlives }] of Object.entries(misuses)) {
    // Keys outlive tokens: only the button of the sign-in's mail revokes keys that the sign-in made or changed.
    const hasKeys = outlives === 'keys'
    const way = hasKeys ? '“this wasn’t me”' : 'signing out everywhere'
    test(`a loop at ${route} ends with ${way}, and the owner loses nothing`, async () => {
      const victim = await newVictim(service, `sign-in-${Object.keys(misuses).indexOf(route)}@example.com`)
      const { email, owner, mail, other } = victim
      service.clock.advance(11 * 60_000)
      const loot: Loot = { token: owner, keys: [] }
      const { thief, late } = await runThief(route, victim, loot, async () => {
        if (hasKeys) return pressNotMe(mail.notMe)
        const { status } = await service.call('POST /auth/tokens/revoke', { token: owner })
        assert.ok(status === 200 || (status === 401 && endsOwnToken.has(route)), `${status}`)
      })
      assert.ok(thief.statuses.includes(bySignIn), thief.statuses.join(' '))
      const again = await signInAgain(email)
      if (bySignIn !== 403) await assertSeen(service, again, event)
      await assertOwnerHasAll(service, again)
      await thief.stop()
      assert.deepEqual([...new Set(late)], [401], 'after the click')
      assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
      assertNoneWorks(await exchangesOf(service, [...loot.keys, victim.waiting]))
      // Keys the thief revoked stay revoked; those the thief did not touch work, or can be kept.
      if (hasKeys && route !== 'POST /auth/api-keys/:id/rotate') await keepKey(service, again, other)
      const isGone = route.endsWith('/revoke') && event === 'key_revoked'
      if (!route.endsWith('/rotate')) assert.equal((await exchange(service, other)).status, isGone ? 401 : 200)
    })
  }
})

describe('with a mailed link, opened before its owner did', () => {
  for (const [route, { bySignIn, byLink = bySignIn, event, outlives }] of Object.entries(misuses)) {
    test(`a loop at ${route} ends with “this wasn’t me” in that mail, and the owner loses nothing`, async () => {
      const victim = await newVictim(service, `link-${Object.keys(misuses).indexOf(route)}@example.com`)
      const { email, owner, other, waiting } = victim
      const stolen = await signInMail(service, email)
      const token = (await service.call(`GET /auth/verify?token=${stolen.link}`)).body.token
      const loot: Loot = { token, keys: [] }
      const isErased = outlives === 'nothing is left'
      const { thief, late } = await runThief(route, victim, loot, async () => {
        const { status } = await press(service, 'not-me', stolen.notMe)
        assert.equal(status, isErased ? 401 : 200, 'deleting an account deletes its buttons')
      })
      assert.ok(thief.statuses.includes(byLink), thief.statuses.join(' '))
      const again = await signInAgain(email)
      const { user } = (await service.call('GET /users/me', { token: again })).body
      assert.equal(user.name, null, 'a name that the thief gave')
      await assertOwnerHasAll(service, again)
      await thief.stop()
      assert.deepEqual([...new Set(late)], [401], 'after the click')
      assert.deepEqual(await statesOf(service, [owner, token]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
      if (isErased) return assert.deepEqual(await listKeys(service, again).then((keys) => keys.length), 1)

      await assertSeen(service, again, event)
      assertNoneWorks(await exchangesOf(service, [...loot.keys, waiting]))
      // Of the owner's own keys, only those that the thief's sign-in rotated or allowed to do more await the owner.
      const isTouched = /:id\/(revoke|rotate)$|^PATCH \/auth\/api-keys/.test(route)
      if (!isTouched) assert.equal((await exchange(service, other)).status, 200)
      const { connection } = (await service.call('GET /auth/google/connection', { token: again })).body
      assert.equal(connection, null)
    })
  }
})

test('the button “this wasn’t me” acts once; the owner signs in with the next mail and can keep every key', async () => {
  const { email, owner, mail, other } = await newVictim(service, 'button@example.com')
  const thief = loop(() => press(service, 'not-me', mail.notMe))
  await thief.answered(6)
  assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
  // A pause lets one mail a day through.
  const next = await signInMail(service, email)
  const again = (await service.call(`GET /auth/verify?token=${next.link}`)).body.token
  await thief.answered(6)
  assert.deepEqual(await statesOf(service, [again]), [email], 'pressing again changes nothing')
  assert.equal((await press(service, 'resume-mail', buttonIn(next.mail, 'resume-mail'))).status, 200)
  await thief.answered(6)
  await keepKey(service, again, other)
  assert.equal((await exchange(service, other)).status, 200)
  await assertOwnerHasAll(service, again)
  assert.ok(await signInAgain(email), 'mails arrive as before')
  await assertSeen(service, again, 'not_me')
  await thief.stop()
  assert.deepEqual([...new Set(thief.statuses)], [200])
})

test('the button that resumes mails does only that, and inspecting a link does not use it up', async () => {
  const { email, mail } = await newVictim(service, 'resume@example.com')
  await pressNotMe(mail.notMe)
  const next = await signInMail(service, email)
  const resume = buttonIn(next.mail, 'resume-mail')
  for (let n = 0; n < 3; n += 1) assert.equal((await press(service, 'resume-mail', resume)).status, 200)
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await service.call('POST /auth/links/inspect', { body: { token: next.link } })).status, 200)
  }
  const again = (await service.call(`GET /auth/verify?token=${next.link}`)).body.token
  assert.deepEqual(await statesOf(service, [again]), [email])
  assertError(await service.call(`GET /auth/verify?token=${next.link}`), 'LINK_INVALID')
  assert.ok(await createKey(service, again))
})
