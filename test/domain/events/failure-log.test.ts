import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createFailureLog, noteLimitHit } from '../../../src/domain/events/failure-log.ts'
import type { Failure, FailureLog } from '../../../src/domain/events/failure-log.ts'
import { eraseUser } from '../../../src/domain/users/user-store.ts'
import { ApiError, RateLimitedError } from '../../../src/errors.ts'
import { createLog } from '../../../src/lib/log.ts'
import { withReadOnlyStorage } from '../../support/database/faults.ts'
import { createKey } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'

const email = 'ana@example.com'
let service: Service
let userId: string
let key: NewKey
let failureLog: FailureLog
const logLines: string[] = []

before(async () => {
  service = await startService()
  key = await createKey(service, await service.signIn(email))
  userId = (await userOf(service.db, email)).id
})
after(async () => {
  await failureLog.close()
  await service.close()
})
beforeEach(async () => {
  await failureLog?.close()
  await service.db.query.deleteFrom('security_events').execute()
  const log = createLog('warn', { write: (line) => void logLines.push(line) })
  failureLog = createFailureLog({ ...service.deps, log })
})

const usual: Failure = {
  type: 'sign_in_refused',
  who: { by: 'email', value: email },
  client: '203.0.113.9',
  browser: 'Firefox on Linux',
}
const limit = (who: Failure['who'], detail: string): Failure => ({ ...usual, type: 'limit_hit', who, detail })
const written = () => service.db.query.selectFrom('security_events').selectAll().orderBy('id').execute()

test('identical failures become one event, with the time of the first and their number', async () => {
  const atMs = service.clock.now()
  for (let n = 0; n < 3; n += 1) {
    failureLog.note(usual)
    service.clock.advance(100)
  }
  failureLog.note({ ...usual, client: '203.0.113.10' })
  assert.deepEqual(await written(), [], 'nothing is written while the caller waits')
  await failureLog.flush()
  const nobody = { api_key_id: null, by_api_key_id: null, sign_in_id: null, by_sign_in_id: null }
  const event = { user_id: userId, type: 'sign_in_refused', ...nobody, detail: null }
  assert.deepEqual(
    (await written()).map(({ id, ...rest }) => (assert.ok(id), rest)),
    [
      { ...event, at_ms: atMs, client: '203.0.113.9', browser: 'Firefox on Linux', times: 3 },
      { ...event, at_ms: atMs + 300, client: '203.0.113.10', browser: 'Firefox on Linux', times: 1 },
    ],
  )
  await failureLog.flush()
  assert.equal((await written()).length, 2, 'nothing is written twice')
})

test('a flush waits for the one under way: afterwards everything noted before is stored', async () => {
  for (let n = 0; n < 60; n += 1) failureLog.note({ ...usual, client: `client ${n}` })
  const first = failureLog.flush()
  await failureLog.flush()
  assert.equal((await written()).length, 50 + 1)
  await first
})

test('an hour has 50 different failures of an account, over any number of writes; the others are counted without details', async () => {
  for (const part of [0, 1]) {
    for (let n = 0; n < 30; n += 1) failureLog.note({ ...usual, client: `client ${part} ${n}` })
    await failureLog.flush()
  }
  const events = await written()
  assert.equal(events.length, 50 + 1)
  assert.deepEqual(
    events.filter(({ client }) => client === null).map(({ times }) => times),
    [10],
  )
})

test('identical failures within an hour become one event, over any number of writes; the next hour starts another', async () => {
  const hourMs = 3_600_000
  service.clock.advance(hourMs - (service.clock.now() % hourMs))
  const firstMs = service.clock.now()
  for (let minute = 0; minute < 60; minute += 1) {
    failureLog.note(usual)
    if (minute % 2 === 0) failureLog.note(limit(usual.who, 'request-repeat'))
    await failureLog.flush()
    service.clock.advance(60_000)
  }
  failureLog.note(usual)
  await failureLog.flush()
  const times = (await written()).map(({ type, at_ms, times: count }) => [type, at_ms, count])
  assert.deepEqual(times, [
    ['sign_in_refused', firstMs, 60],
    ['limit_hit', firstMs, 30],
    ['sign_in_refused', firstMs + hourMs, 1],
  ])
})

test('a combined event names the browser only if every failure had the same', async () => {
  const browsers = async () => (await written()).map(({ client, browser, times }) => [client, browser, times])
  const other = { ...usual, client: '203.0.113.10' }
  for (const failure of [usual, { ...usual, browser: 'Safari on macOS' }, other, other]) failureLog.note(failure)
  await failureLog.flush()
  assert.deepEqual(await browsers(), [
    ['203.0.113.9', null, 2],
    ['203.0.113.10', 'Firefox on Linux', 2],
  ])
  for (const failure of [usual, { ...other, browser: null }]) failureLog.note(failure)
  await failureLog.flush()
  assert.deepEqual(await browsers(), [
    ['203.0.113.9', null, 3],
    ['203.0.113.10', null, 3],
  ])
})

test('an account deleted after the failure gets no event', async () => {
  await service.signIn('gone@example.com')
  const { id } = await userOf(service.db, 'gone@example.com')
  await service.db.query.deleteFrom('security_events').execute()
  await service.db.transaction((trx) => eraseUser(trx, id, service.clock.now()))
  failureLog.note(limit({ by: 'id', value: id }, 'key-creation'))
  // A tombstone's address is its id, which belongs to nobody.
  failureLog.note({ ...usual, who: { by: 'email', value: id } })
  await failureLog.flush()
  assert.deepEqual(await written(), [])
})

test('failures that differ in type, account, client or detail are separate events', async () => {
  const who = { by: 'keyId', value: key.apiKey.keyId } as const
  const failures: Failure[] = [
    usual,
    { ...usual, client: '203.0.113.1' },
    limit(usual.who, 'request-address'),
    limit(usual.who, 'request-repeat'),
    limit({ by: 'id', value: userId }, 'key-creation'),
    { type: 'exchange_refused', who, client: '203.0.113.9', browser: null, detail: 'WRONG_SECRET' },
    { type: 'exchange_refused', who, client: '203.0.113.9', browser: null, detail: 'REVOKED' },
  ]
  for (const failure of failures) failureLog.note(failure)
  await failureLog.flush()
  const events = await written()
  assert.deepEqual(
    events.map(({ type, client, detail, times }) => [type, client, detail ?? undefined, times]),
    failures.map(({ type, client, detail }) => [type, client, detail, 1]),
  )
  const keys = events.map((event) => event.api_key_id)
  assert.deepEqual(keys, [...Array<null>(5).fill(null), key.apiKey.id, key.apiKey.id])
})

test('a failure of a nonexistent account is dropped, and the others are written', async () => {
  failureLog.note({ ...usual, who: { by: 'email', value: 'nobody@example.com' } })
  failureLog.note({ ...usual, who: { by: 'keyId', value: '' } })
  failureLog.note({ ...usual, who: { by: 'keyId', value: 'plk_0000000000000000000000' } })
  failureLog.note({ ...usual, who: { by: 'id', value: "' or 1=1" } })
  failureLog.note(usual)
  await failureLog.flush()
  assert.deepEqual(
    (await written()).map((event) => event.user_id),
    [userId],
  )
})

test('an account created between the failure and its write gets the event', async () => {
  failureLog.note({ ...usual, who: { by: 'email', value: 'bob@example.com' } })
  await service.signIn('bob@example.com')
  await failureLog.flush()
  const events = (await written()).filter(({ type }) => type === 'sign_in_refused')
  assert.equal(events.length, 1)
})

test('of 12,000 different failures 10,000 are held, and failures already held still count', async () => {
  // Most belong to nobody, because a lookup costs less than a write.
  const known = new Set([0, 9999, 10_000])
  const failure = (n: number): Failure => {
    const value = known.has(n) ? email : 'nobody@example.com'
    return { ...usual, who: { by: 'email', value }, client: `client ${n}` }
  }
  for (let n = 0; n < 12_000; n += 1) failureLog.note(failure(n))
  failureLog.note(failure(0))
  failureLog.note(failure(10_000))
  await failureLog.flush()
  const counted = (await written()).map(({ client, times }) => [client, times])
  assert.deepEqual(counted, [
    ['client 0', 2],
    ['client 9999', 1],
  ])
  failureLog.note(failure(10_000))
  await failureLog.flush()
  assert.equal((await written()).length, 3, 'further failures are held again')
})

test('other statements run between the batches of a write', async () => {
  for (let n = 0; n < 1100; n += 1) failureLog.note({ ...usual, client: `client ${n}` })
  const order: string[] = []
  const flushed = failureLog.flush().then(() => order.push('all is written'))
  const counted = async () => (await written()).reduce((sum, { times }) => sum + times, 0)
  await counted().then((times) => order.push(times < 1100 ? 'some are written' : `${times} at the first read`))
  await flushed
  assert.deepEqual(order, ['some are written', 'all is written'])
  assert.equal(await counted(), 1100)
})

test('closing writes the pending failures; failures that cannot be written are dropped with a warning', async () => {
  failureLog.note(usual)
  await failureLog.close()
  assert.equal((await written()).length, 1)
  failureLog.note({ ...usual, client: 'lost' })
  await withReadOnlyStorage(service.db, () => failureLog.close())
  await failureLog.close()
  assert.equal((await written()).length, 1)
  assert.equal(logLines.filter((line) => line.includes('failures not written')).length, 1)
})

test('a batch that cannot be written loses none of the others', async (t) => {
  for (let n = 0; n < 60; n += 1) failureLog.note({ ...usual, client: `client ${n}` })
  t.mock.method(service.db, 'transaction', () => Promise.reject(new Error('too late')), { times: 1 })
  await assert.rejects(failureLog.flush(), { message: 'too late' })
  await failureLog.flush()
  const counted = (await written()).reduce((sum, { times }) => sum + times, 0)
  assert.equal(counted, 35)
})

test('noteLimitHit records only rate limit errors, with the limit’s name and the client’s network, and rethrows every error', async () => {
  const note = noteLimitHit(failureLog, { ip: '2001:db8:1:2::9', browser: 'Safari on iOS' }, usual.who)
  const errors = [new RateLimitedError('request-repeat', 60), new ApiError('NOT_FOUND'), new Error('other')]
  for (const error of errors)
    assert.throws(
      () => note(error),
      (thrown) => thrown === error,
    )
  await failureLog.flush()
  const events = (await written()).map(({ type, detail, client, browser }) => ({ type, detail, client, browser }))
  const noted = { type: 'limit_hit', detail: 'request-repeat', client: '2001:db8:1:2::/64', browser: 'Safari on iOS' }
  assert.deepEqual(events, [noted])
})

test('a limit that counts the client is no event of an account', async () => {
  const note = noteLimitHit(failureLog, { ip: '203.0.113.9', browser: null }, usual.who)
  for (const name of ['request-client', 'exchange-failures-client']) {
    const error = new RateLimitedError(name, 60)
    assert.throws(
      () => note(error),
      (thrown) => thrown === error,
    )
  }
  await failureLog.flush()
  assert.deepEqual(await written(), [])
})
