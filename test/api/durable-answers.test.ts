/** Answers that only read wait for no commit but one that ends a user's tokens; answers of writes wait for every commit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { introspectingKey } from '../support/accounts/introspecting-key.ts'
import { basicOf, postForm } from '../support/http/oauth.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service
const waits: string[] = []

before(async () => {
  service = await startService()
  Object.assign(service.db, { pendingSync: (of: string) => void waits.push(of) })
})
after(() => service.close())

test('an exchange, also as client credentials, and an introspection only read', async () => {
  const { apiKey, keySecret, token } = await service.signUp('ana@example.com')
  const gateway = await introspectingKey(service, 'gateway@example.com')
  const { keyId } = apiKey
  const waitOf = async (call: () => Promise<unknown>) => {
    waits.length = 0
    await call()
    return waits
  }
  const form = (grant: string) => ({ grant_type: grant, client_id: keyId, client_secret: keySecret })
  const onlyReads = [
    () => service.call('POST /auth/api/token', { body: { keyId, keySecret } }),
    () => service.call('POST /auth/api/token', { body: { keyId, keySecret: 'wrong' } }),
    () => postForm(service, '/oauth/token', form('client_credentials')),
    () => postForm(service, '/oauth/introspect', { token }, basicOf(gateway)),
  ]
  for (const call of onlyReads) assert.deepEqual(await waitOf(call), ['access'])
  const writes = [
    () => postForm(service, '/oauth/token', { ...form('authorization_code'), code: 'unknown' }),
    () => postForm(service, '/oauth/token', {}),
    () => service.call('POST /oauth/token', { body: 'null' }),
    () => service.call('POST /auth/tokens/revoke', { token }),
  ]
  for (const call of writes) assert.deepEqual(await waitOf(call), ['all'])
})
