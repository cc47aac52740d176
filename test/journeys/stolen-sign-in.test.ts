/** A thief with a sign-in token or a mailed link calls each endpoint in a loop; one click of the owner ends it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { Misuse, Victim } from '../support/accounts/thief.ts'

let service: GoogleService
before(async () => {
  ;({ service } = await startWithThief())
})
after(() => service.close())

/** What the thief has: the token, and the keys whose secrets the answers revealed. */
type Loot = { token: string; keys: NewKey[] }

/** Between two calls of a worker of the thief, so that the service has time for the owner's. */
const PAUSE_MS = 20

/** Endpoints that change nothing share a victim, since none of them can hide what another does. */
const isHarmless = (route: string, { bySignIn, event, outlives }: Misuse): boolean =>
  bySignIn !== 201 && event === undefined && outlives === undefined && !route.startsWith('DELETE')

const all = Object.entries(misuses)
const harmless = all.filter(([route, row]) => isHarmless(route, row)).map(([route]) => route)
const cases = [
  ...all
    .filter(([route]) => !harmless.includes(route))
    .map(([route, { event, outlives }]) => ({ what: route, routes: [route], event, outlives })),
  { what: `${harmless.length} endpoints that change nothing`, routes: harmless, event: undefined, outlives: undefined },
]

/**
 * Runs the thief's loop at the endpoints in turn while the owner clicks.
 * @returns `stop`, which asserts that each endpoint gave the expected status before the click, and 401 after it
 */
async function runThief(
  expected: Readonly<Record<string, number>>,
  victim: Victim,
  loot: Loot,
  click: () => Promise<void>,
) {
  let isOver = false
  const routes = Object.keys(expected)
  const early = new Map(routes.map((route) => [route, [] as number[]]))
  const late = new Map(routes.map((route) => [route, [] as number[]]))
  const thief = loop(async (n) => {
    await sleep(PAUSE_MS)
    const route = routes[n % routes.length] ?? assert.fail()
    const statuses = (isOver ? late : early).get(route)
    const answer = await misuse(service, victim, route, loot.token, n)
    if (answer.body?.keySecret !== undefined) loot.keys.push(answer.body)
    statuses?.push(answer.status)
    return answer
  })
  await thief.answered(routes.length + 8)
  await click()
  isOver = true
  await thief.answered(routes.length + 5)
  return {
    async stop() {
      await thief.stop()
      for (const [route, statuses] of early)
        assert.ok(statuses.includes(expected[route] ?? 0), `${route}: ${statuses.join(' ')}`)
      for (const [route, statuses] of late) assert.deepEqual([...new Set(statuses)], [401], `${route} after the click`)
    },
  }
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
  for (const [index, { what, routes, event, outlives }] of cases.entries()) {
    const expected = Object.fromEntries(routes.map((route) => [route, misuses[route]?.bySignIn ?? 0]))
    // Keys outlive tokens: only the button of the sign-in's mail revokes keys that the sign-in made or changed.
    const hasKeys = outlives === 'keys'
    const way = hasKeys ? '“this wasn’t me”' : 'signing out everywhere'
    test(`a loop at ${what} ends with ${way}, and the owner loses nothing`, async () => {
      const victim = await newVictim(service, `sign-in-${index}@example.com`)
      const { email, owner, mail, other } = victim
      service.clock.advance(11 * 60_000)
      const loot: Loot = { token: owner, keys: [] }
      const thief = await runThief(expected, victim, loot, async () => {
        if (hasKeys) return pressNotMe(mail.notMe)
        const { status } = await service.call('POST /auth/tokens/revoke', { token: owner })
        assert.ok(status === 200 || (status === 401 && endsOwnToken.has(what)), `${status}`)
      })
      const again = await signInAgain(email)
      if (expected[what] !== 403) await assertSeen(service, again, event)
      await assertOwnerHasAll(service, again)
      await thief.stop()
      assert.deepEqual(await statesOf(service, [owner]), ['UNAUTHORIZED'])
      assertNoneWorks(await exchangesOf(service, [...loot.keys, victim.waiting]))
      // Keys the thief revoked stay revoked; those the thief did not touch work, or can be kept.
      if (hasKeys && what !== 'POST /auth/api-keys/:id/rotate') await keepKey(service, again, other)
      const isGone = what.endsWith('/revoke') && event === 'key_revoked'
      if (!what.endsWith('/rotate')) assert.equal((await exchange(service, other)).status, isGone ? 401 : 200)
    })
  }
})

describe('with a mailed link, opened before its owner did', () => {
  for (const [index, { what, routes, event, outlives }] of cases.entries()) {
    const expected = Object.fromEntries(
      routes.map((route) => [route, misuses[route]?.byLink ?? misuses[route]?.bySignIn ?? 0]),
    )
    test(`a loop at ${what} ends with “this wasn’t me” in that mail, and the owner loses nothing`, async () => {
      const victim = await newVictim(service, `link-${index}@example.com`)
      const { email, owner, other, waiting } = victim
      const stolen = await signInMail(service, email)
      const token = (await service.call(`GET /auth/verify?token=${stolen.link}`)).body.token
      const loot: Loot = { token, keys: [] }
      const isErased = outlives === 'nothing is left'
      const thief = await runThief(expected, victim, loot, async () => {
        const { status } = await press(service, 'not-me', stolen.notMe)
        assert.equal(status, isErased ? 401 : 200, 'deleting an account deletes its buttons')
      })
      const again = await signInAgain(email)
      const { user } = (await service.call('GET /users/me', { token: again })).body
      assert.equal(user.name, null, 'a name that the thief gave')
      await assertOwnerHasAll(service, again)
      await thief.stop()
      assert.deepEqual(await statesOf(service, [owner, token]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
      if (isErased) return assert.deepEqual(await listKeys(service, again).then((keys) => keys.length), 1)

      await assertSeen(service, again, event)
      assertNoneWorks(await exchangesOf(service, [...loot.keys, waiting]))
      // Of the owner's own keys, only those that the thief's sign-in rotated or allowed to do more await the owner.
      const isTouched = /:id\/(revoke|rotate)$|^PATCH \/auth\/api-keys/.test(what)
      if (!isTouched) assert.equal((await exchange(service, other)).status, 200)
      const { connection } = (await service.call('GET /auth/google/connection', { token: again })).body
      assert.equal(connection, null)
    })
  }
})

test('the button “this wasn’t me” acts once; the owner signs in with the next mail and can keep every key', async () => {
  const { email, owner, mail, other } = await newVictim(service, 'button@example.com')
  const thief = loop(async () => {
    await sleep(PAUSE_MS)
    return press(service, 'not-me', mail.notMe)
  })
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
