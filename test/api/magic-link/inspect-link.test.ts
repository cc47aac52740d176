import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const ROUTE = 'POST /auth/links/inspect'
let service: Service

before(async () => {
  service = await startService({ APP_URL: 'https://app.example' })
})
after(() => service.close())

const inspect = (token: unknown, headers: Record<string, string> = {}) =>
  service.call(ROUTE, { body: { token }, headers })

test('inspecting a link returns exactly the masked address and the expiry, any number of times', async () => {
  const email = 'ana.maria@example.com'
  const token = await mailedToken(service, email)
  const expiresAt = new Date(service.clock.now() + 600_000).toISOString()
  await assertNothingHappens(service, async () => {
    for (let n = 0; n < 5; n++) {
      const answer = await inspect(token)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { email: 'a***@example.com', expiresAt })
      assertUncacheable(answer)
    }
  })
  assert.equal((await verify(service, token)).status, 200)
})

test('an unknown, a used, an expired and a malformed token get identical responses', async () => {
  const used = await mailedToken(service, 'bob@example.com')
  await verify(service, used)
  const expired = await mailedToken(service, 'cia@example.com')
  service.clock.advance(600_000)

  const answers = []
  for (const token of ['A'.repeat(43), used, expired, '', '\u0000', '\ud800', 'x'.repeat(10_000)]) {
    answers.push(await inspect(token))
  }
  for (const answer of answers) assertError(answer, 'LINK_INVALID')
  assert.equal(new Set(answers.map(fingerprintOf)).size, 1)
})

test('a link can be inspected until the last millisecond before it expires', async () => {
  const token = await mailedToken(service, 'dan@example.com')
  service.clock.advance(600_000 - 1)
  assert.equal((await inspect(token)).status, 200)
  service.clock.advance(1)
  assertError(await inspect(token), 'LINK_INVALID')
})

test('wrong types, missing and unknown fields are refused with the name of the field', async () => {
  await assertOnlyObjects(service, ROUTE)
  for (const token of [null, 1, ['x'], { $ne: '' }]) {
    assertError(await inspect(token), 'VALIDATION_FAILED', /^`token` must be a string, not /)
  }
  assertError(await service.call(ROUTE, { body: {} }), 'VALIDATION_FAILED', '`token` is required.')
  const more = await service.call(ROUTE, { body: { token: 'x', email: 'a@example.com' } })
  assertError(more, 'VALIDATION_FAILED', '`email` is not a known field.')
  assertError(await service.call(ROUTE), 'VALIDATION_FAILED', /^The body must be a JSON object(, not an? [a-z]+)?\.$/)
})

test('a page of another site learns nothing, even about a valid link', async () => {
  const token = await mailedToken(service, 'eva@example.com')
  for (const headers of foreignCalls(service)) {
    assertError(await inspect(token, headers), 'ORIGIN_NOT_ALLOWED')
  }
  for (const headers of ownCalls(service)) assert.equal((await inspect(token, headers)).status, 200)
})
