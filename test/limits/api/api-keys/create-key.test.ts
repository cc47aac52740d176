/** `POST /auth/api-keys` with production limits: stored keys are bounded, and no owner is locked out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { createKey, exchange, rotateKey, tokenOf } from '../../../support/accounts/keys.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { databaseContent } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_REQUEST_REPEAT: '9/30s' })
})
after(() => service.close())

const create = (token: string) => service.call('POST /auth/api-keys', { token })

/** Creates all keys that an hour allows and revokes each, to stay below the limit of live keys. */
async function useUp(token: string, left = 60): Promise<void> {
  for (let n = 0; n < left; n++) {
    const { apiKey } = await createKey(service, token)
    await service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  }
}

test('the 61st key of a user in an hour gets 429 and is not stored, even after another sign-in', async () => {
  const token = await service.signIn('ana@example.com')
  await useUp(token)
  const { apiKeys } = await databaseContent(service.db)
  const refused = await create(token)
  assertError(refused, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"key-creation";r=0;t=60$/)
  assertError(await create(await service.signIn('ana@example.com')), 'RATE_LIMITED')
  assert.deepEqual((await databaseContent(service.db)).apiKeys, apiKeys)

  const other = await service.signIn('bob@example.com')
  assert.equal((await create(other)).status, 201, 'another user')
})

test('a thief who signs up with an address first cannot use up its owner’s key creations', async () => {
  const thief = await service.signUp('cia@example.com')
  await useUp(thief.token)
  assertError(await create(thief.token), 'RATE_LIMITED')
  assert.equal((await exchange(service, thief)).status, 200, 'only creating keys is limited')

  const owner = await service.signIn('cia@example.com')
  assert.equal((await create(owner)).status, 201)
})

test('a stolen key and its descendants share one count, separate from its owner and other keys', async () => {
  const owner = await service.signIn('dan@example.com')
  const [stolen, other] = [await createKey(service, owner), await createKey(service, owner)]
  const child = await createKey(service, await tokenOf(service, stolen))
  await useUp(await tokenOf(service, child), 59)
  for (const key of [stolen, child]) assertError(await create(await tokenOf(service, key)), 'RATE_LIMITED')
  assert.equal((await create(owner)).status, 201)
  assert.equal((await create(await tokenOf(service, other))).status, 201)
})

test('rotations count as key creations, and a refused one keeps the secret', async () => {
  const limited = await startService({ ...productionLimits, RATE_LIMIT_KEY_CREATION: '3/1h' })
  try {
    const token = await limited.signIn('ana@example.com')
    const key = await createKey(limited, token)
    await rotateKey(limited, token, key)
    const last = await rotateKey(limited, token, key)
    const refused = await limited.call(`POST /auth/api-keys/${key.apiKey.id}/rotate`, { token })
    assertError(refused, 'RATE_LIMITED')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await exchange(limited, last)).status, 200)
  } finally {
    await limited.close()
  }
})
