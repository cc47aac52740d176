import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangedTokens } from '../../sdk/src/token-source.ts'
import { exchange } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'

test('a token is renewed in its last minute, while it is still valid', async () => {
  const service = await startService()
  try {
    const key = await service.signUp('ana@example.com')
    const tokens = exchangedTokens(async () => (await exchange(service, key)).body, service.clock.now)
    const works = async (token = '') => (await service.call('GET /users/me', { token })).status === 200

    const first = await tokens()
    service.clock.advance(3_539_000)
    assert.equal(await tokens(), first)
    assert.ok(await works(first))
    service.clock.advance(1000)
    const second = await tokens()
    assert.notEqual(second, first)
    assert.ok((await works(first)) && (await works(second)))
    service.clock.advance(60_000)
    assert.ok(!(await works(first)), 'a minute later it would have been refused')
    assert.equal(await tokens(), second)
  } finally {
    await service.close()
  }
})

test('a token that lives for less than a minute is not exchanged for every call', async () => {
  let nowMs = 0
  let exchanges = 0
  const tokens = exchangedTokens(
    async () => ({ token: String(++exchanges), expiresInSeconds: 10 }),
    () => nowMs,
  )
  await tokens()
  nowMs = 8999
  assert.equal(await tokens(), '1')
  nowMs = 9000
  assert.equal(await tokens(), '2')
})

test('the lifetime of a token counts from before the request, however long that takes', async () => {
  let nowMs = 0
  let exchanges = 0
  const tokens = exchangedTokens(
    async () => {
      nowMs += 5000
      return { token: String(++exchanges), expiresInSeconds: 10 }
    },
    () => nowMs,
  )
  await tokens()
  nowMs = 9000
  assert.equal(await tokens(), '2')
})
