import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventTypes, recordEvent, recordRepeatedEvent } from '../../../src/domain/events/security-events.ts'
import type { EventSource, EventType } from '../../../src/domain/events/security-events.ts'
import { incrementTokenVersion } from '../../../src/domain/users/user-store.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { databaseContent, userOf } from '../../support/database/state.ts'

let service: Service
let userId: string

before(async () => {
  service = await startService()
  await service.signIn('ana@example.com')
  userId = (await userOf(service.db, 'ana@example.com')).id
})
after(() => service.close())

const newest = async () => ({ ...(await databaseContent(service.db)).events.at(-1) })

function record(event: Readonly<{ type: EventType; apiKeyId?: string; detail?: string }>, source?: EventSource) {
  return service.db.transaction((trx) => recordEvent(trx, service.deps, { userId, ...event }, source))
}

test('an event without a request has no client and no key', async () => {
  await record({ type: 'key_expiring', apiKeyId: 'a-key' })
  const { id, ...event } = await newest()
  assert.match(String(id), /^[\da-f-]{36}$/)
  assert.deepEqual(event, {
    user_id: userId,
    type: 'key_expiring',
    at_ms: service.clock.now(),
    client: null,
    api_key_id: 'a-key',
    by_api_key_id: null,
    sign_in_id: null,
    by_sign_in_id: null,
    detail: null,
    times: 1,
    browser: null,
  })
})

test('an event stores the client’s network only: an IPv4 address, or an IPv6 /64', async () => {
  const networks = {
    '203.0.113.9': '203.0.113.9',
    '::ffff:203.0.113.9': '203.0.113.9',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2:ffff::1': '2001:db8:1:2::/64',
    nonsense: 'unknown',
  }
  for (const [ip, network] of Object.entries(networks)) {
    await record({ type: 'signed_in', detail: 'magic_link' }, { ip, browser: null, caller: null })
    const { client, detail } = await newest()
    assert.deepEqual([client, detail], [network, 'magic_link'])
  }
})

test('an event stores the key of the caller’s token, and none for a person’s sign-in', async () => {
  const caller = { userId, role: 'USER', tokenVersion: 0, issuedAtSeconds: 0 }
  const byKey = { ...caller, amr: 'api_key', apiKeyId: 'k', signInId: null } as const
  const byPerson = { ...caller, amr: 'magic_link', apiKeyId: null, signInId: 's' } as const
  for (const [one, expected] of [
    [byKey, 'k'],
    [byPerson, null],
  ] as const) {
    await record({ type: 'key_created', apiKeyId: 'new' }, { ip: '203.0.113.9', browser: null, caller: one })
    const event = await newest()
    assert.deepEqual([event.by_api_key_id, event.api_key_id], [expected, 'new'])
  }
})

test('a repeated event names the browser only while every call has the same', async () => {
  const repeat = (browser: string | null) =>
    service.db.transaction((trx) =>
      recordRepeatedEvent(
        trx,
        service.deps,
        { userId, type: 'exported' },
        { ip: '203.0.113.7', browser, caller: null },
      ),
    )
  const seen: unknown[] = []
  for (const browser of ['Edge on Windows', 'Edge on Windows', 'Safari on iOS', 'Safari on iOS']) {
    await repeat(browser)
    seen.push((await newest()).browser)
  }
  assert.deepEqual(seen, ['Edge on Windows', 'Edge on Windows', null, null])
})

test('a change and its event are committed or rolled back together', async () => {
  const earlier = await databaseContent(service.db)
  const undone = service.db.transaction(async (trx) => {
    await incrementTokenVersion(trx, userId)
    await recordEvent(trx, service.deps, { userId, type: 'tokens_revoked' })
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  const failed = service.db.transaction(async (trx) => {
    await incrementTokenVersion(trx, userId)
    await recordEvent(trx, service.deps, { userId: 'nobody', type: 'tokens_revoked' })
  })
  await assert.rejects(failed, /foreign key/i)
  assert.deepEqual(await databaseContent(service.db), earlier)
})

test('every type has a description, also in the OpenAPI document', async () => {
  const { body } = await service.call('GET /openapi.json')
  for (const [type, meaning] of Object.entries(eventTypes)) {
    assert.match(meaning, /^[A-Z].{10,}\.$/)
    assert.ok(JSON.stringify(body).includes(JSON.stringify(`\`${type}\`: ${meaning}`).slice(1, -1)), type)
  }
})

test('repeated events within an hour are merged by key and network, into at most twenty-one events of a type', async () => {
  const repeat = (ip: string, apiKeyId: string | null) =>
    service.db.transaction((trx) =>
      recordRepeatedEvent(
        trx,
        service.deps,
        { userId, type: 'renamed' },
        { ip, browser: 'Chrome on Windows', caller: { apiKeyId, signInId: null } },
      ),
    )
  const renamed = async () =>
    (await databaseContent(service.db)).events
      .filter(({ type }) => type === 'renamed')
      .map(({ client, by_api_key_id: by, times }) => [client, by, times])
  service.clock.advance(3_600_000 - (service.clock.now() % 3_600_000))
  for (const by of ['a-key', null, 'a-key', null, 'a-key']) await repeat('203.0.113.1', by)
  assert.deepEqual(await renamed(), [
    ['203.0.113.1', 'a-key', 3],
    ['203.0.113.1', null, 2],
  ])

  for (let n = 0; n < 30; n += 1) await repeat(`198.51.100.${n}`, 'a-key')
  const all = await renamed()
  assert.equal(all.length, 21)
  assert.deepEqual(all.at(-1), [null, null, 12], 'further networks are counted together')
  await repeat('203.0.113.1', null)
  assert.deepEqual((await renamed())[1], ['203.0.113.1', null, 3], 'a known network is still counted apart')

  service.clock.advance(3_600_000)
  await repeat('203.0.113.1', 'a-key')
  assert.equal((await renamed()).length, 22)
})
