import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ErrorCode } from '../../../../src/errors.ts'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, cookieJar, redirectFlow, startFlow, startGoogleService } from '../../../support/google/google.ts'
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
import { databaseContent, recipientsOf } from '../../../support/database/state.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

/** A call of three seconds, plus a margin for a busy machine. */
const IN_TIME_MS = 5500

async function comeBackTo(service: GoogleService, handler: Handler, code: ErrorCode) {
  const { issuer, db, logLines } = service
  const { state, nonce, jar } = await startFlow(service)
  const kept = cookieJar()
  for (const [name, value] of jar.cookies) kept.cookies.set(name, value)
  issuer.handlers.token = handler
  issuer.idToken = issuer.sign(issuer.claims({ nonce }))
  issuer.hits.token = 0
  const { spent, ...stored } = await databaseContent(db)
  const sent = await recipientsOf(service)
  const from = logLines.length

  const tookMs = stopwatch()
  const answer = await comeBack(service, jar, { code: 'code-of-the-test', state })
  const ms = tookMs()
  assertError(answer, code)
  assert.equal(answer.headers.get('retry-after'), code === 'GOOGLE_UNAVAILABLE' ? '5' : null)
  assert.ok(ms < IN_TIME_MS, `${ms} ms`)
  assert.equal(issuer.hits.token, 1, 'one attempt')
  assert.equal(jar.cookies.size, 0, 'no cookie is left')

  delete issuer.handlers.token
  assertError(await comeBack(service, kept, { code: 'code-of-the-test', state }), 'OAUTH_STATE_INVALID')
  assert.equal(issuer.hits.token, 1, 'the state is used up')
  const { spent: spentAfter, ...storedAfter } = await databaseContent(db)
  assert.deepEqual(storedAfter, stored)
  assert.equal(spentAfter.length, spent.length + 1)
  assert.deepEqual(await recipientsOf(service), sent)

  const lines = logLines.slice(from)
  assert.doesNotMatch(lines.join(''), /secret|eyJ|\?|code-of-the-test/)
  if (code !== 'GOOGLE_UNAVAILABLE') return assert.deepEqual(lines, [])
  assert.equal(lines.length, 1, lines.join(''))
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual([line.level, line.step], [40, 'token'])
  return line
}

const start = () => startGoogleService({ LOG_LEVEL: 'warn' })

describe('a slow token endpoint', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody, stopsHalfway })) {
    test(`that ${name} gets one request and is abandoned in time [F28]`, async (t: TestContext) => {
      const service = await start()
      t.after(() => service.close())
      const line = await comeBackTo(service, handler, 'GOOGLE_UNAVAILABLE')
      assert.equal(line.err.type, 'TimeoutError')
      assert.equal((await redirectFlow(service)).status, 200)
    })
  }
})

describe('a token endpoint that answers', () => {
  let service: GoogleService
  before(async () => void (service = await start()))
  after(() => service.close())

  const json = (value: unknown, status?: number) => answerWith(JSON.stringify(value), status)
  const tokens =
    (changes: Record<string, unknown> = {}): Handler =>
    (...exchange) =>
      json({ access_token: 'a', token_type: 'Bearer', id_token: service.issuer.idToken, ...changes })(...exchange)
  const idTokenOf =
    (changes: Record<string, unknown>): Handler =>
    (...exchange) =>
      tokens({ id_token: service.issuer.sign(service.issuer.claims(changes)) })(...exchange)

  for (const [name, handler] of Object.entries<() => Handler>({
    'with 500': () => json({}, 500),
    'with 500, and tokens': () => json({ access_token: 'a', token_type: 'Bearer', id_token: 'x' }, 500),
    'with 404': () => answerWith('', 404),
    'with 429': () => json({ error: 'slow_down' }, 429),
    'with an HTML page': () => html,
    'by closing the connection': () => cuts,
    'with an empty body': () => answerWith(''),
    'with null': () => answerWith('null'),
    'with a list': () => answerWith('[]'),
    'with a string': () => answerWith('"id_token"'),
    'with truncated JSON': () => answerWith('{"id_token": "'),
    'without an ID token': () => tokens({ id_token: undefined }),
    'with an ID token that is not a string': () => tokens({ id_token: { a: 1 } }),
    'with more than the size limit': () => tokens({ scope: 'a'.repeat(200_000) }),
    'with a gigabyte': () => gigabyte(() => {}),
    'with a compression bomb': () => bomb('gzip'),
    'with invalid_client': () => json({ error: 'invalid_client', error_description: 'GOCSPX-secret-of-the-test' }, 401),
    'with a malformed error code': () => json({ error: 'secret https://x.example/?code=secret' }, 400),
  })) {
    test(`${name} gets one request, and Google counts as unavailable [F28]`, () =>
      comeBackTo(service, handler(), 'GOOGLE_UNAVAILABLE'))
  }

  test('with invalid_client causes a log line that says so, without the secret [F28, O12]', async () => {
    const line = await comeBackTo(service, json({ error: 'invalid_client' }, 401), 'GOOGLE_UNAVAILABLE')
    assert.equal(line.err.message, 'status 401, error invalid_client')
    const named = await comeBackTo(service, json({ error: `x${'y'.repeat(60)}` }, 400), 'GOOGLE_UNAVAILABLE')
    assert.equal(named.err.message, 'status 400, error none')
  })

  test('with a redirect is not followed, and code and secret go nowhere else [F28]', async (t) => {
    const target = await serving(t, answerWith('{}'))
    for (const status of [302, 307, 308]) {
      await comeBackTo(service, redirects(`${target.url}/token`, status), 'GOOGLE_UNAVAILABLE')
    }
    assert.deepEqual(target.requests, [])
  })

  for (const [name, handler] of Object.entries<() => Handler>({
    'with invalid_grant': () => json({ error: 'invalid_grant', error_description: 'Bad Request' }, 400),
    'with another nonce': () => idTokenOf({ nonce: 'another' }),
    'without a nonce': () => idTokenOf({}),
    'with an overlong ID token': () => tokens({ id_token: `${service.issuer.idToken}${'a'.repeat(9000)}` }),
    'with a malformed ID token': () => tokens({ id_token: 'a.b.c' }),
    'with an empty ID token': () => tokens({ id_token: '' }),
    'with an ID token of an unknown key':
      () =>
      (...exchange) =>
        tokens({ id_token: service.issuer.sign(service.issuer.claims(), {}, newKey()) })(...exchange),
  })) {
    test(`${name} gets one request, and the credential is refused [F28]`, () =>
      comeBackTo(service, handler(), 'GOOGLE_CREDENTIAL_INVALID'))
  }

  test('correctly again signs in', async () => {
    assert.equal((await redirectFlow(service)).status, 200)
  })
})
