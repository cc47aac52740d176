import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { failureTypes } from '../../../../src/domain/events/security-events.ts'
import { createFailureLog } from '../../../../src/domain/events/failure-log.ts'
import type { Failure } from '../../../../src/domain/events/failure-log.ts'
import { createKey, listKeys } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { turnsDuring } from '../../../support/process/event-loop-turns.ts'

const HOUR_MS = 3_600_000
const email = 'ana@example.com'
const who = { by: 'email', value: email } as const
let service: Service
let token: string
let key: NewKey

before(async () => {
  service = await startService({
    ...productionLimits,
    RATE_LIMIT_EXPORT: '1000/1h',
    RATE_LIMIT_EXCHANGE_FAILURES_CLIENT: '30/1m',
  })
  token = await service.signIn(email)
  key = await createKey(service, token)
  // Each test starts at the beginning of its own hour.
  service.clock.advance(HOUR_MS - (service.clock.now() % HOUR_MS))
})
after(() => service.close())
beforeEach(() => service.clock.advance(HOUR_MS))

async function storedFailures() {
  const events = service.db.query.selectFrom('security_events').selectAll()
  return events
    .where('type', 'in', failureTypes)
    .where('at_ms', '>=', service.clock.now() - HOUR_MS + 1)
    .execute()
}
const sum = (events: readonly { times: number }[]) => events.reduce((total, { times }) => total + times, 0)
const network = (n: number) => `2001:db8:0:${n.toString(16)}::/64`

test('100 networks that use up every limit repeatedly leave 50 events and one total', async () => {
  const address = 'bob@example.com'
  const owner = await service.signIn(address)
  await createKey(service, owner)
  const { id } = await userOf(service.db, address)
  const request = (n: number) =>
    service.call('POST /auth/request', { body: { email: address }, headers: from(`2001:db8:1:${n.toString(16)}::1`) })
  let refused = 0
  for (let flushes = 0; flushes < 3; flushes += 1) {
    for (let n = 0; n < 100; n += 1) refused += Number((await request(n)).status === 429)
    await service.deps.failureLog.flush()
  }
  assert.ok(refused > 250, `${refused}`)
  const failures = (await storedFailures()).filter(({ user_id }) => user_id === id)
  assert.equal(failures.filter(({ client }) => client !== null).length, 50)
  assert.deepEqual(
    failures.filter(({ client }) => client === null).map(({ type, detail }) => [type, detail]),
    [['limit_hit', null]],
  )
  assert.equal(sum(failures), refused, 'every refusal is counted')
  const { body } = await service.call('GET /auth/events?limit=100', { token: owner })
  const told = body.events.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'limit_hit')
  assert.deepEqual(told, ['key_created', 'signed_in', 'account_created'])
})

test('many networks and all failure types leave 50 events in the hour and one total for each type', async () => {
  const ofKey = { by: 'keyId', value: key.apiKey.keyId } as const
  const kinds: readonly Omit<Failure, 'client' | 'browser'>[] = [
    { type: 'exchange_refused', who: ofKey, detail: 'WRONG_SECRET' },
    { type: 'exchange_refused', who: ofKey, detail: 'EXPIRED' },
    { type: 'sign_in_refused', who },
    { type: 'signup_refused', who },
    { type: 'limit_hit', who, detail: 'request-repeat' },
  ]
  for (let flushes = 0; flushes < 4; flushes += 1) {
    for (let n = 0; n < 300; n += 1) {
      for (const kind of kinds) service.deps.failureLog.note({ ...kind, client: network(n), browser: null })
    }
    service.clock.advance(5000)
    await service.deps.failureLog.flush()
  }
  const events = await storedFailures()
  const [apart, together] = [
    events.filter(({ client }) => client !== null),
    events.filter(({ client }) => client === null),
  ]
  assert.equal(apart.length, 50)
  assert.deepEqual(
    apart.map(({ times }) => times),
    Array(50).fill(4),
  )
  assert.deepEqual(together.map(({ type }) => type).toSorted(), [...failureTypes].toSorted())
  for (const event of together)
    assert.deepEqual([event.api_key_id, event.detail, event.by_api_key_id], [null, null, null])
  assert.equal(sum(events), 4 * 300 * kinds.length)

  service.clock.advance(HOUR_MS)
  service.deps.failureLog.note({ type: 'sign_in_refused', who, client: network(299), browser: null })
  await service.deps.failureLog.flush()
  const [next] = await storedFailures()
  assert.deepEqual([next?.client, next?.times], [network(299), 1], 'the next hour has room again')
})

test('one account’s flood does not use another’s room, and two processes share the limit', async () => {
  const ofOtherProcess = createFailureLog(service.deps)
  await service.signIn('cia@example.com')
  const other = { by: 'email', value: 'cia@example.com' } as const
  const { id } = await userOf(service.db, other.value)
  for (let n = 0; n < 40; n += 1) {
    service.deps.failureLog.note({ type: 'sign_in_refused', who, client: network(n), browser: null })
    ofOtherProcess.note({ type: 'sign_in_refused', who, client: network(n + 30), browser: null })
  }
  service.deps.failureLog.note({ type: 'sign_in_refused', who: other, client: network(0), browser: null })
  await Promise.all([service.deps.failureLog.flush(), ofOtherProcess.flush()])
  await ofOtherProcess.close()
  const events = await storedFailures()
  assert.deepEqual(
    events.filter(({ user_id }) => user_id === id).map(({ client }) => client),
    [network(0)],
  )
  assert.equal(events.length, 52)
  assert.equal(sum(events), 81)
})

test('a client that invents key ids and addresses writes nothing to the account’s log', async () => {
  const attempt = (keyId: string) =>
    service.call('POST /auth/api/token', { body: { keyId, keySecret: 'wrong' }, headers: from('203.0.113.66') })
  const [known] = await listKeys(service, token)
  for (let n = 0; n < 30; n += 1) await attempt(`plk_${String(n).padStart(22, '0')}`)
  assert.equal((await attempt(known.keyId)).status, 429)
  const request = (address: string) =>
    service.call('POST /auth/request', { body: { email: address }, headers: from('203.0.113.66') })
  for (let n = 0; n < 30; n += 1) assert.equal((await request(`n${n}@example.com`)).status, 200)
  assert.equal((await request(email)).status, 429)
  await service.deps.failureLog.flush()
  assert.deepEqual(await storedFailures(), [], 'its own limits are not events of the account')
})

test('writing 2500 failures of one account yields to other work after every twenty-five', async () => {
  for (let n = 0; n < 2500; n += 1) {
    service.deps.failureLog.note({ type: 'sign_in_refused', who, client: `client ${n}`, browser: null })
  }
  const turns = await turnsDuring(() => service.deps.failureLog.flush())
  assert.ok(turns >= 99, `${turns} turns`)
  assert.equal(sum(await storedFailures()), 2500)
})
