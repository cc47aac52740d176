import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eraseDeleted } from '../../../src/domain/users/account-erasure.ts'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { createKey, exchange, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = ({ apiKey }: NewKey, token: string) => service.call(`GET /auth/api-keys/${apiKey.id}/uses`, { token })

async function written(): Promise<void> {
  await service.deps.dailyUses.flush()
  await service.deps.failureLog.flush()
}

type Day = Readonly<{ day: string; exchanges: number; refusals: number }>

async function daysOf(key: NewKey, token: string): Promise<readonly Day[]> {
  await written()
  const answer = await ask(key, token)
  assert.equal(answer.status, 200, answer.text)
  assertUncacheable(answer)
  return answer.body.days
}

const rows = () => service.db.query.selectFrom('key_daily_uses').selectAll().execute()

test('exchanges and refusals are counted per day, and deleted after thirty days', async () => {
  const person = await service.signIn('ana@example.com')
  const [key, other] = [await createKey(service, person), await createKey(service, person)]
  for (let n = 0; n < 3; n += 1) await exchange(service, key)
  // A mistyped secret, and a well-formed one of another key.
  for (const keySecret of [`${key.keySecret}x`, other.keySecret]) await exchange(service, { ...key, keySecret })
  assert.deepEqual(await rows(), [], 'no call waits for a write')
  const days = await daysOf(key, person)
  const today = new Date(service.clock.now()).toISOString().slice(0, 10)
  assert.deepEqual(days, [{ day: today, exchanges: 3, refusals: 2 }])
  assert.deepEqual(await daysOf(other, person), [])

  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: person })
  service.clock.advance(DAY_MS)
  await exchange(service, key)
  const [yesterday, now] = await daysOf(key, person)
  assert.deepEqual([yesterday?.day, yesterday?.exchanges, now?.exchanges, now?.refusals], [today, 3, 0, 1])

  service.clock.advance(29 * DAY_MS)
  const later = await service.signIn('ana@example.com')
  assert.deepEqual(await daysOf(key, later), [now])
  await upkeep(service.deps)
  const left = await rows()
  assert.deepEqual(left.map(({ day }) => day).toSorted(), [today, now?.day])
  service.clock.advance(DAY_MS)
  await upkeep(service.deps)
  assert.deepEqual(
    (await rows()).map(({ day }) => day),
    [now?.day],
  )
})

test('the network of the last use is answered, not the address, and the export has what is stored', async () => {
  const proxied = await startService({ TRUST_PROXY: '127.0.0.1' })
  try {
    const person = await proxied.signIn('ana@example.com')
    const [key, unused] = [await createKey(proxied, person), await createKey(proxied, person)]
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const networkOf = async ({ apiKey }: NewKey) => {
      await proxied.deps.keyUse.flush()
      return (await proxied.call(`GET /auth/api-keys/${apiKey.id}/uses`, { token: person })).body.lastUsedNetwork
    }
    const body = { keyId: key.apiKey.keyId, keySecret: key.keySecret }
    const { token } = (await proxied.call('POST /auth/api/token', { body, headers: from('203.0.113.9') })).body
    assert.equal(await networkOf(key), '203.0.113.0/24')
    proxied.clock.advance(1000)
    await proxied.call('GET /auth/check', { token, headers: from('2001:db8:1:2::3') })
    assert.equal(await networkOf(key), '2001:db8:1::/48')
    proxied.clock.advance(1000)
    await proxied.call('POST /auth/api/token', { body: { ...body, keySecret: unused.keySecret } })
    assert.equal(await networkOf(key), '2001:db8:1::/48', 'a refusal is no use')
    assert.equal(await networkOf(unused), null)
    const list = await proxied.call('GET /auth/api-keys', { token: person })
    assert.doesNotMatch(list.text, /2001:db8|etwork/, 'the fields of the list are closed')
    const { apiKeys } = (await proxied.call('GET /users/me/export', { token: person })).body
    const clients = apiKeys.map(({ lastUsedClient }: { lastUsedClient: string | null }) => lastUsedClient)
    assert.deepEqual(clients.toSorted(), ['2001:db8:1:2::/64', null])
  } finally {
    await proxied.close()
  }
})

test('another account’s key is not found, and a key without the scope is refused', async () => {
  const ana = await service.signIn('ana@example.com')
  const bob = await service.signIn('bob@example.com')
  const key = await createKey(service, ana)
  assertError(await ask(key, bob), 'NOT_FOUND')
  assert.equal((await ask(key, await tokenOf(service, key))).status, 200)
  const writer = await createKey(service, ana, { restrictions: { scopes: ['keys:write'] } })
  assertError(await ask(key, await tokenOf(service, writer)), 'INSUFFICIENT_SCOPE')
})

test('the export has the uses, and a deletion erases them', async () => {
  const person = await service.signIn('cia@example.com')
  const key = await createKey(service, person)
  await tokenOf(service, key)
  await written()
  const { keyUses } = (await service.call('GET /users/me/export', { token: person })).body
  const day = new Date(service.clock.now()).toISOString().slice(0, 10)
  assert.deepEqual(keyUses, [{ apiKeyId: key.apiKey.id, day, exchanges: 1, refusals: 0 }])
  await tokenOf(service, key)
  const deleted = await service.call('DELETE /users/me', { token: person })
  assert.ok(deleted.status < 300, deleted.text)
  await written()
  await eraseDeleted(service.db, new AbortController().signal)
  const ofKey = (await rows()).filter((row) => row.key_id === key.apiKey.id)
  assert.deepEqual(ofKey, [])
})
