import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { ContentionTimeoutError } from '../../../../src/lib/fair-queue.ts'
import { assertError, assertSecurityHeaders } from '../../../support/http/answers.ts'
import { onEmbeddedOnly } from '../../../support/database/database.ts'
import { withReadOnlyStorage } from '../../../support/database/faults.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { databaseContent, recipientsOf } from '../../../support/database/state.ts'
import { isPostgres } from '../../../support/database/triggers.ts'

async function start(t: TestContext): Promise<Service> {
  const service = await startService({ LOG_LEVEL: 'info' })
  t.after(() => service.close())
  return service
}

function linesOf({ logLines }: Service, answer: Answer): any[] {
  const requestId = answer.headers.get('x-request-id')
  return logLines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
}

const UNAVAILABLE = 'The service cannot reach its database. Try again shortly.'
const NO_SPACE = 'The disk of the server has no space left, so nothing was changed. Try again later.'
function assertUnavailable(answer: Answer, message = UNAVAILABLE): void {
  assertError(answer, 'UNAVAILABLE', message)
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  assertSecurityHeaders(answer)
}

test('a fault gets 500 INTERNAL without its cause, which is logged with the request id', async (t) => {
  const service = await start(t)
  await sql`drop table magic_links`.execute(service.db.query)
  for (const id of ['my-request.1', undefined]) {
    const headers = id === undefined ? {} : { 'x-request-id': id }
    const answer = await service.call('GET /auth/verify?token=QZXJ', { headers })
    assertError(answer, 'INTERNAL', 'Internal error. Report it with the X-Request-Id of this response.')
    assertSecurityHeaders(answer)
    assert.doesNotMatch(
      `${answer.text}${[...answer.headers].join()}`,
      /magic_links|sqlite|SQL|no such|\.ts|node_modules|QZXJ/i,
    )
    if (id !== undefined) assert.equal(answer.headers.get('x-request-id'), id)

    const [error, request, ...more] = linesOf(service, answer)
    assert.deepEqual(more, [])
    assert.match(error.err.message, /no such table: magic_links|relation "magic_links" does not exist/)
    assert.match(error.err.frames, /at .*\.ts:\d+/)
    assert.deepEqual([error.msg, request.msg, request.status], ['INTERNAL', 'request', 500])
  }
  assert.doesNotMatch(service.logLines.join(''), /QZXJ/)
  assert.equal((await service.call('GET /auth/config')).status, 200, 'the service keeps serving')
})

test('a guard that cannot read its tables refuses every call [GHSA-8fpg-xm3f-6cx3]', async (t) => {
  const service = await start(t)
  const { token } = await service.signUp('ana@example.com')
  await sql`alter table users rename to lost`.execute(service.db.query)
  for (const route of ['GET /users/me', 'GET /auth/api-keys', 'POST /auth/tokens/revoke']) {
    assertError(await service.call(route, { token }), 'INTERNAL')
    assertError(await service.call(route), 'UNAUTHORIZED')
  }
})

test('writes to a read-only database get 503 with Retry-After, leave nothing half done, and log an error a second [F7]', async (t) => {
  const service = await start(t)
  const { token, apiKey, keySecret } = await service.signUp('ana@example.com')
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  const sent = service.smtp.mails.length

  await withReadOnlyStorage(service.db, async () => {
    const beganMs = performance.now()
    const requestIds: (string | null)[] = []
    for (const { route, ...call } of [
      { route: 'POST /auth/api/signup', body: { email: 'bob@example.com' } },
      { route: 'POST /auth/request', body: { email: 'bob@example.com' } },
      { route: 'POST /auth/api-keys', token, body: { name: 'QZXJ' } },
      { route: `POST /auth/api-keys/${apiKey.id}/revoke`, token },
      { route: 'POST /auth/tokens/revoke', token },
      { route: 'PATCH /users/me', token, body: { name: 'QZXJ' } },
    ]) {
      const answer = await service.call(route, call)
      assertUnavailable(answer)
      assert.deepEqual(
        linesOf(service, answer).flatMap(({ msg, code }) => (msg === 'request' ? [code] : [])),
        ['UNAVAILABLE'],
      )
      requestIds.push(answer.headers.get('x-request-id'))
    }
    // The mail queue logs its failures too.
    const ofCalls = ({ level, msg }: { level: number; msg: string }) => level === 50 && msg === 'UNAVAILABLE'
    const errors = service.logLines.map((line) => JSON.parse(line)).filter(ofCalls)
    assert.equal(errors[0].requestId, requestIds[0])
    const seconds = (performance.now() - beganMs) / 1000
    assert.ok(errors.length <= 1 + seconds, `${errors.length} errors in ${seconds} s`)
    const me = await service.call('GET /users/me', { token })
    const exchanged = await service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
    // On PostgreSQL a read-only server may be a standby, which learns of revocations late, so it is not read either.
    if (isPostgres(service.db)) for (const answer of [me, exchanged]) assertUnavailable(answer)
    else assert.deepEqual([me.status, exchanged.status], [200, 200])
  })

  assert.deepEqual(await databaseContent(service.db), stored)
  assert.equal(service.smtp.mails.length, sent)
  const signedUp = await service.call('POST /auth/api/signup', { body: { email: 'bob@example.com' } })
  assert.equal(signedUp.status, 201, 'without a restart')
  assert.doesNotMatch(service.logLines.join(''), /QZXJ/)
})

test(
  'writes to a full database get 503, and succeed again when there is room [F6]',
  onEmbeddedOnly('a full disk'),
  async (t) => {
    const service = await start(t)
    const { token, apiKey, keySecret } = await service.signUp('ana@example.com')
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(service.db.query)
    const pages = Number(rows[0]?.page_count)
    await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(service.db.query)
    const signUp = (n: number) => {
      const body = { email: `full${n}@example.com`, name: 'n'.repeat(100), keyName: 'k'.repeat(100) }
      return service.call('POST /auth/api/signup', { body })
    }
    let taken = 0
    let answer = await signUp(taken)
    while (answer.status === 201 && taken < 200) answer = await signUp(++taken)
    assertUnavailable(answer, NO_SPACE)
    assert.equal((await databaseContent(service.db)).users.length, taken + 1)
    assert.equal((await databaseContent(service.db)).apiKeys.length, taken + 1)
    assert.equal((await service.call('GET /users/me', { token })).status, 200, 'reads still work')
    const exchange = { keyId: apiKey.keyId, keySecret }
    assert.equal((await service.call('POST /auth/api/token', { body: exchange })).status, 200)

    await sql`pragma max_page_count = ${sql.lit(pages + 1000)}`.execute(service.db.query)
    assert.equal((await signUp(taken)).status, 201)
  },
)

test(
  'a write that waits too long for another process’s lock gets 503 and leaves nothing half done',
  onEmbeddedOnly('a file that is held'),
  async (t) => {
    const service = await start(t)
    const { rows } = await sql<{ file: string }>`pragma database_list`.execute(service.db.query)
    const { DatabaseSync } = await import('node:sqlite')
    const other = new DatabaseSync(rows[0]?.file ?? '')
    t.after(() => other.close())
    await sql`pragma busy_timeout = 0`.execute(service.db.query)
    other.exec('begin immediate')
    assertUnavailable(await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } }))
    other.exec('rollback')
    assert.deepEqual((await databaseContent(service.db)).users, [])
    assert.equal((await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).status, 201)
  },
)

test('a write that waits too long for others of its account is logged too, and shows no limits', async (t) => {
  const service = await startService({ LOG_LEVEL: 'info', RATE_LIMITS: 'on' })
  t.after(() => service.close())
  const { token } = await service.signUp('ana@example.com')
  t.mock.method(service.db, 'transaction', () => Promise.reject(new ContentionTimeoutError()))
  const answer = await service.call('POST /auth/api-keys', { token })
  assertUnavailable(answer, 'Too many writes to this account are in progress. Try again shortly.')
  assert.equal(answer.headers.get('ratelimit'), null)
  const [error] = linesOf(service, answer)
  assert.deepEqual(
    [error.level, error.msg, error.err.message],
    [50, 'UNAVAILABLE', new ContentionTimeoutError().message],
  )
})
