/** Google's key set away, slow or hostile: keys at hand go on working, nothing bad takes their place, and the rest is served. */
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
  says,
  stopsHalfway,
  tricklesBody,
  tricklesHeaders,
} from '../../../support/http/hostile-answers.ts'
import { newKey } from '../../../support/google/issuer.ts'
import type { Handler } from '../../../support/google/issuer.ts'
import { serving } from '../../../support/http/serving.ts'
import { segment } from '../../../support/accounts/tokens.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A call's three seconds, and what a busy machine may add. */
const IN_TIME_MS = 5500
/** Within this, an answer was not waited for: a call that hangs takes three seconds. */
const AT_ONCE_MS = 2000
const RETRY_AFTER_MS = 5000
const COOLDOWN_MS = 30_000

const start = () => startGoogleService({ LOG_LEVEL: 'warn' })

function assertUnavailable(answer: Answer): void {
  assertError(answer, 'GOOGLE_UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '5')
}

/** A credential of a key that the service has not seen. */
const ofNewKey = (service: GoogleService, key = newKey()) =>
  useCredential(service, service.issuer.sign(service.issuer.claims(), {}, key))

/** Runs `work`, and gives the one line that the log says of it. */
async function oneLineOf({ logLines }: GoogleService, work: () => Promise<unknown>) {
  const from = logLines.length
  await work()
  const lines = logLines.slice(from)
  assert.equal(lines.length, 1, lines.join(''))
  const line = JSON.parse(lines[0] ?? '')
  assert.equal(line.level, 40)
  return line
}

/** The answer in place of the key set is no answer: neither at first, nor over keys that are held. */
async function assertNotBelieved(service: GoogleService, bad: Handler): Promise<void> {
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
  assert.equal((await oneTap(service)).status, 200, 'the keys at hand go on working')
  const againMs = stopwatch()
  assertUnavailable(await ofNewKey(service))
  assert.ok(againMs() < AT_ONCE_MS, 'nobody waits for Google again so soon')

  delete issuer.handlers.jwks
  const rotated = newKey()
  issuer.keys.push(rotated)
  clock.advance(RETRY_AFTER_MS)
  assert.equal((await ofNewKey(service, rotated)).status, 200)
  assert.equal((await oneTap(service)).status, 200)
  issuer.keys.pop()
}

describe('a key set that is slow', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody, stopsHalfway })) {
    test(`is given up within three seconds, and poisons nothing: it ${name} [F27, G11]`, async (t: TestContext) => {
      const service = await start()
      t.after(() => service.close())
      await assertNotBelieved(service, handler)
    })
  }
})

describe('a key set that is none', () => {
  let service: GoogleService
  before(async () => void (service = await start()))
  after(() => service.close())
  const [good, other] = [newKey().jwk, newKey().jwk]
  const set = (...keys: unknown[]) => says(JSON.stringify({ keys }))

  for (const [name, bad] of Object.entries<() => Handler>({
    'a gigabyte': () => gigabyte(() => {}),
    'a bomb by gzip': () => bomb('gzip'),
    'a bomb by Brotli': () => bomb('br'),
    'a page': () => html,
    'a cut connection': () => cuts,
    'an empty answer': () => says(''),
    'not UTF-8': () => says(Buffer.from([0x7b, 0xff, 0x7d])),
    'half of a set': () => says(JSON.stringify({ keys: [good] }).slice(0, -1)),
    'a set with status 500': () => says(JSON.stringify({ keys: [good] }), 500),
    'a set with status 404': () => says(JSON.stringify({ keys: [good] }), 404),
    'a set with status 203': () => says(JSON.stringify({ keys: [good] }), 203),
    null: () => says('null'),
    'a list': () => says(JSON.stringify([good])),
    'a set without keys': () => set(),
    'keys that are no list': () => says(JSON.stringify({ keys: good })),
    'a key that is none': () => set(good, null),
    'more than twenty keys': () => set(...Array.from({ length: 21 }, (_, n) => ({ ...good, kid: `k${n}` }))),
    'symmetric keys only': () => set({ kty: 'oct', k: 'c2VjcmV0', alg: 'HS256', kid: 'x' }),
    'keys for encryption only': () => set({ ...good, use: 'enc' }, { ...other, use: 'enc' }),
  })) {
    test(`is not believed, and poisons nothing: ${name} [F27]`, () => assertNotBelieved(service, bad()))
  }

  test('is not fetched from where a redirect leads [F27]', async (t) => {
    const target = await serving(t, set(good))
    await assertNotBelieved(service, redirects(`${target.url}/jwks?secret`))
    assert.deepEqual(target.requests, [])
  })
})

describe('Google that cannot be reached', () => {
  test('goes on signing in by the keys at hand for a day, refuses others at once, and concerns nobody else [F25]', async (t) => {
    const service = await start()
    t.after(() => service.close())
    const { clock, issuer } = service
    assert.equal((await oneTap(service)).status, 200)
    Object.assign(issuer.handlers, { discovery: cuts, jwks: cuts, token: cuts })

    // Asked anew by the unknown key, so that it is known to be away.
    clock.advance(30_000)
    const line = await oneLineOf(service, async () => assertUnavailable(await ofNewKey(service)))
    assert.equal(line.step, 'keys')
    const { jwks } = issuer.hits
    for (let n = 0; n < 20; n++) assertUnavailable(await ofNewKey(service))
    assert.equal(issuer.hits.jwks, jwks, 'nobody asks again so soon')
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

test('Google’s keys cost one call per half a minute under 10 000 credentials of unknown keys, which are all refused [F26, G11]', async (t) => {
  const service = await start()
  t.after(() => service.close())
  const { clock, issuer, deps, db } = service
  assert.equal((await oneTap(service)).status, 200)
  issuer.hits.jwks = 0
  const users = () => db.query.selectFrom('users').select('id').execute()
  const [, claims, signature] = issuer.sign().split('.')
  const made = (n: number) => `${segment({ alg: 'RS256', typ: 'JWT', kid: `unknown-${n}` })}.${claims}.${signature}`
  const usersBefore = await users()
  for (let n = 0; n < 20; n++) assertError(await useCredential(service, made(n)), 'GOOGLE_CREDENTIAL_INVALID')
  assert.equal(issuer.hits.jwks, 0)
  const stepMs = 6
  for (let n = 0; n < 10_000; n++) {
    clock.advance(stepMs)
    await assert.rejects(requireGoogle(deps).verifyIdToken(made(n)), { code: 'GOOGLE_CREDENTIAL_INVALID' })
  }
  assert.equal(issuer.hits.jwks, (10_000 * stepMs) / COOLDOWN_MS)
  assert.deepEqual(await users(), usersBefore)
})
