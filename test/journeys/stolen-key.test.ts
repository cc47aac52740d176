/** A thief with an API key calls each endpoint in a loop; the owner ends it with one revocation. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError } from '../support/http/answers.ts'
import { createKey, exchange, exchangesOf, rotateKey, statesOf, tokenOf } from '../support/accounts/keys.ts'
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

/** Between two calls of a worker of the thief, so that the service has time for the owner's. */
const PAUSE_MS = 20

/** Endpoints that change nothing share a victim, since none of them can hide what another does. */
const all = Object.entries(misuses)
const refusing = all.filter(([, { byKey }]) => byKey === 403).map(([route]) => route)
const reading = all.filter(([, { byKey, event }]) => byKey === 200 && event === undefined).map(([route]) => route)
const cases = [
  ...all
    .filter(([route]) => !refusing.includes(route) && !reading.includes(route))
    .map(([route, { event }]) => ({ what: route, routes: [route], event })),
  { what: `${refusing.length} endpoints that refuse keys`, routes: refusing, event: undefined },
  { what: `${reading.length} endpoints that change nothing`, routes: reading, event: undefined },
]

describe('with a stolen key', () => {
  let service: GoogleService
  let guarded: string[]
  before(async () => {
    ;({ service, guarded } = await startWithThief())
  })
  after(() => service.close())

  test('every endpoint behind the guard is tried here, and is a row of the table in docs/security.md', () => {
    assert.deepEqual(guarded.toSorted(), Object.keys(misuses).toSorted())
    const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('### What a thief can do to the owner, by endpoint\n')
    const [table = ''] = section.split('\n### ')
    const rows = [...table.matchAll(/^\| `([A-Z]+ [^`]+)` \|/gm)].map(([, route]) => route)
    assert.deepEqual(rows.toSorted(), guarded.toSorted())
  })

  for (const [index, { what, routes, event }] of cases.entries()) {
    test(`a loop at ${what} ends with one revocation of the key and its descendants, and the owner loses nothing`, async () => {
      const victim = await newVictim(service, `key-${index}@example.com`)
      const { owner, stolen, other, otherToken } = victim
      const first = await tokenOf(service, stolen)
      const tokens = [first]
      const keys: NewKey[] = [stolen]
      let isRevoked = false
      const early = new Map(routes.map((route) => [route, [] as number[]]))
      const late = new Map(routes.map((route) => [route, [] as number[]]))
      const thief = loop(async (n) => {
        await sleep(PAUSE_MS)
        const route = routes[n % routes.length] ?? assert.fail()
        const statuses = (isRevoked ? late : early).get(route)
        const isLate = isRevoked
        const exchanged = await exchange(service, keys[n % keys.length] ?? stolen)
        if (exchanged.status === 200) tokens.push(exchanged.body.token)
        const answer = await misuse(service, victim, route, tokens.at(-1 - (n % 5)) ?? first, n)
        if (answer.body?.keySecret !== undefined) keys.push(answer.body)
        // The rate limit of rotations applies before the key's owner is checked.
        if (misuses[route]?.byKey === 403 && answer.status !== 401 && answer.status !== 429)
          assertError(answer, 'SIGN_IN_REQUIRED')
        if (isLate) statuses?.push(exchanged.status)
        statuses?.push(answer.status)
        return answer
      })
      await thief.answered(routes.length + 11)
      const revokedAnswer = await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke?withDescendants=true`, {
        token: owner,
      })
      isRevoked = true
      assert.equal(revokedAnswer.status, 200, revokedAnswer.text)
      await thief.answered(routes.length + 5)

      assert.deepEqual(
        await statesOf(service, [owner, otherToken]),
        [victim.email, victim.email],
        'nobody else was signed out',
      )
      await assertOwnerHasAll(service, owner)
      await assertOwnerUsesKey(other, otherToken)
      await assertSeen(service, owner, event)

      await thief.stop()
      for (const [route, statuses] of early)
        assert.ok(statuses.includes(misuses[route]?.byKey ?? 0), `${route}: ${statuses.join(' ')}`)
      for (const [route, statuses] of late) assert.deepEqual([...new Set(statuses)], [401], `${route} after the click`)
      assert.deepEqual(new Set(await exchangesOf(service, keys)), new Set(['INVALID_CREDENTIALS']))
      assert.deepEqual(new Set(await statesOf(service, tokens)), new Set(['UNAUTHORIZED']))
    })
  }

  /** Asserts that a key that was not stolen still works. */
  async function assertOwnerUsesKey(key: NewKey, token: string): Promise<void> {
    assert.equal((await exchange(service, key)).status, 200)
    const body = { amount: 100, title: 'Of the other key' }
    const made = await service.call('POST /payment-links', { token, body, headers: { 'idempotency-key': 'INV-0' } })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.paymentLink.title, 'Of the other key')
  }

  test('a thief who rotates it locks the owner’s program out; the owner learns it by event and mail, and revokes the key', async () => {
    const victim = await newVictim(service, 'rotated@example.com')
    const { owner, stolen, email } = victim
    const taken = await rotateKey(service, await tokenOf(service, stolen), stolen)
    assertError(await exchange(service, stolen), 'INVALID_CREDENTIALS')
    await assertSeen(service, owner, 'key_rotated')
    const mail = await service.smtp.mailTo(email, 20_000, 'new secret')
    assert.match(mail.message.text ?? '', /“.?Stolen/u)
    await service.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke?withDescendants=true`, { token: owner })
    assertError(await exchange(service, taken), 'INVALID_CREDENTIALS')
    await assertOwnerHasAll(service, owner)
  })

  test('a thief who creates keys up to the limit of 25 loses all of them with one revocation', async () => {
    const { service: otherService } = await startWithThief({ RATE_LIMIT_KEY_CREATION: '60/1h' })
    try {
      const { owner, stolen } = await newVictim(otherService, 'full@example.com')
      const chain = [stolen]
      // Each key is created with the one before.
      while (chain.length < 24)
        chain.push(await createKey(otherService, await tokenOf(otherService, chain.at(-1) ?? stolen)))
      assertError(await otherService.call('POST /auth/api-keys', { token: owner }), 'KEY_LIMIT_REACHED')
      await otherService.call(`POST /auth/api-keys/${stolen.apiKey.id}/revoke?withDescendants=true`, { token: owner })
      assert.deepEqual(new Set(await exchangesOf(otherService, chain)), new Set(['INVALID_CREDENTIALS']))
      await assertOwnerHasAll(otherService, owner)
    } finally {
      await otherService.close()
    }
  })
})
