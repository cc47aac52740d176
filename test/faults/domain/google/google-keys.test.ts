import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { requireGoogle } from '../../../../src/api/google/require-google.ts'
import { assertError } from '../../../support/http/answers.ts'
import type { Answer } from '../../../support/http/call.ts'
import { oneTap, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import {
  bomb,
  cuts,
  gigabyte,
  hangs,
  html,
  redirects,
  answerWith,
  stopsHalfway,
  tricklesBody,
  tricklesHeaders,
} from '../../../support/wire/hostile-answers.ts'
import { newKey } from '../../../support/google/issuer.ts'
import type { Handler } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { segment } from '../../../support/accounts/tokens.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A call of three seconds, plus a margin for a busy machine. */
const IN_TIME_MS = 5500
/** An answer within this time did not wait for Google: a hanging call takes three seconds. */
const WITHOUT_WAITING_MS = 2000
const RETRY_AFTER_MS = 5000
const COOLDOWN_MS = 30_000

const start = () => startGoogleService({ LOG_LEVEL: 'warn' })

function assertUnavailable(answer: Answer): void {
  assertError(answer, 'GOOGLE_UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '5')
}

/** Made once: making a key takes as long as a hundred calls. */
const [unknownKey, rotatedKey] = [newKey(), newKey()]

const signInWithUnknownKey = (service: GoogleService, key = unknownKey) =>
  useCredential(service, service.issuer.sign(service.issuer.claims(), {}, key))

async function oneLineOf({ logLines }: GoogleService, work: () => Promise<unknown>) {
  const from = logLines.length
  await work()
  const lines = logLines.slice(from)
  assert.equal(lines.length, 1, lines.join(''))
  const line = JSON.parse(lines[0] ?? '')
  assert.equal(line.level, 40)
  return line
}

/** Asserts that this response is refused, both without and with cached keys. */
async function assertKeySetRefused(service: GoogleService, bad: Handler): Promise<void> {
  const { clock, issuer } = service
  clock.advance(25 * HOUR_MS)
  issuer.handlers.jwks = bad
  const tookMs = stopwatch()
  const line = await oneLineOf(service, async () => assertUnavailable(await oneTap(service)))
  assert.deepEqual([line.step, typeof line.err.type], ['keys', 'string'])
  assert.ok(tookMs() < IN_TIME_MS)
  assert.doesNotMatch(service.logLines.join(''), /secret|eyJ|\?/)

  delete issuer.handlers.jwks
  clock.advance(RETRY_AFTER_MS)
  assert.equal((await oneTap(service)).status, 200)

  clock.advance(10 * MINUTE_MS)
  issuer.handlers.jwks = bad
  assert.equal((await oneTap(service)).status, 200, 'cached keys keep working')
  const againMs = stopwatch()
  assertUnavailable(await signInWithUnknownKey(service))
  assert.ok(againMs() < WITHOUT_WAITING_MS, 'no second request so soon')

  delete issuer.handlers.jwks
  issuer.keys.push(rotatedKey)
  clock.advance(RETRY_AFTER_MS)
  assert.equal((await signInWithUnknownKey(service, rotatedKey)).status, 200)
  assert.equal((await oneTap(service)).status, 200)
  issuer.keys.pop()
}

describe('a slow key set', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody, stopsHalfway })) {
    test(`that ${name} is abandoned within three seconds and replaces no cached key [F27, G11]`, async (t: TestContext) => {
      const service = await start()
      t.after(() => service.close())
      await assertKeySetRefused(service, handler)
    })
  }
})

describe('an invalid key set', () => {
  let service: GoogleService
  before(async () => void (service = await start()))
  after(() => service.close())
  const [good, other] = [unknownKey.jwk, rotatedKey.jwk]
  const set = (...keys: unknown[]) => answerWith(JSON.stringify({ keys }))

  for (const [name, bad] of Object.entries<() => Handler>({
    'a gigabyte': () => gigabyte(() => {}),
    'a gzip bomb': () => bomb('gzip'),
    'a Brotli bomb': () => bomb('br'),
    'an HTML page': () => html,
    'a closed connection': () => cuts,
    'an empty answer': () => answerWith(''),
    'not UTF-8': () => answerWith(Buffer.from([0x7b, 0xff, 0x7d])),
    'a truncated set': () => answerWith(JSON.stringify({ keys: [good] }).slice(0, -1)),
    'a set with status 500': () => answerWith(JSON.stringify({ keys: [good] }), 500),
    'a set with status 404': () => answerWith(JSON.stringify({ keys: [good] }), 404),
    'a set with status 203': () => answerWith(JSON.stringify({ keys: [good] }), 203),
    null: () => answerWith('null'),
    'a list': () => answerWith(JSON.stringify([good])),
    'a set without keys': () => set(),
    'keys that are not a list': () => answerWith(JSON.stringify({ keys: good })),
    'a null key': () => set(good, null),
    'more than twenty keys': () => set(...Array.from({ length: 21 }, (_, n) => ({ ...good, kid: `k${n}` }))),
    'symmetric keys only': () => set({ kty: 'oct', k: 'c2VjcmV0', alg: 'HS256', kid: 'x' }),
    'keys for encryption only': () => set({ ...good, use: 'enc' }, { ...other, use: 'enc' }),
  })) {
    test(`is refused and replaces no cached key: ${name} [F27]`, () => assertKeySetRefused(service, bad()))
  }

  test('is not fetched through a redirect [F27]', async (t) => {
    const target = await serving(t, set(good))
    await assertKeySetRefused(service, redirects(`${target.url}/jwks?secret`))
    assert.deepEqual(target.requests, [])
  })
})

describe('while Google is unreachable', () => {
  test('cached keys sign in for a day, unknown keys are refused at once, and other calls are unaffected [F25]', async (t) => {
    const service = await start()
    t.after(() => service.close())
    const { clock, issuer } = service
    assert.equal((await oneTap(service)).status, 200)
    Object.assign(issuer.handlers, { discovery: cuts, jwks: cuts, token: cuts })

    // The unknown key causes a request, so the service learns that Google is unreachable.
    clock.advance(30_000)
    const line = await oneLineOf(service, async () => assertUnavailable(await signInWithUnknownKey(service)))
    assert.equal(line.step, 'keys')
    const { jwks } = issuer.hits
    for (let n = 0; n < 20; n++) assertUnavailable(await signInWithUnknownKey(service))
    assert.equal(issuer.hits.jwks, jwks, 'no further request so soon')
    assert.equal((await oneTap(service)).status, 200)

    clock.advance(24 * HOUR_MS - 30_001)
    assert.equal((await oneTap(service, { email: 'held@gmail.com' })).status, 200)
    const token = await service.signIn('ana@example.com')
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
    assert.equal((await service.call('POST /auth/api-keys', { token, body: {} })).status, 201)
    await service.signUp('robot@example.com')

    clock.advance(RETRY_AFTER_MS)
    assertUnavailable(await oneTap(service))
    assert.equal((await service.call('GET /users/me', { token })).status, 200)

    Object.assign(issuer.handlers, { discovery: undefined, jwks: undefined, token: undefined })
    clock.advance(RETRY_AFTER_MS)
    assert.equal((await oneTap(service)).status, 200)
  })
})

test('10 000 credentials with unknown keys cause one request to Google per half minute and are all refused [F26, G11]', async (t) => {
  const service = await start()
  t.after(() => service.close())
  const { clock, issuer, deps, db } = service
  assert.equal((await oneTap(service)).status, 200)
  issuer.hits.jwks = 0
  const users = () => db.query.selectFrom('users').select('id').execute()
  const [, claims, signature] = issuer.sign().split('.')
  const forged = (n: number) => `${segment({ alg: 'RS256', typ: 'JWT', kid: `unknown-${n}` })}.${claims}.${signature}`
  const usersBefore = await users()
  for (let n = 0; n < 20; n++) assertError(await useCredential(service, forged(n)), 'GOOGLE_CREDENTIAL_INVALID')
  assert.equal(issuer.hits.jwks, 0)
  const stepMs = 6
  for (let n = 0; n < 10_000; n++) {
    clock.advance(stepMs)
    await assert.rejects(requireGoogle(deps).verifyIdToken(forged(n)), { code: 'GOOGLE_CREDENTIAL_INVALID' })
  }
  assert.equal(issuer.hits.jwks, (10_000 * stepMs) / COOLDOWN_MS)
  assert.deepEqual(await users(), usersBefore)
})
