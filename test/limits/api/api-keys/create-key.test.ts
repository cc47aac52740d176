/** `POST /auth/api-keys` with production limits: stored keys are bounded, and no owner is locked out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { createKey, exchange, rotateKey, tokenOf } from '../../../support/accounts/keys.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { databaseContent } from '../../../support/database/state.ts'

const FEW = 5
let service: Service
/** With a smaller limit, which takes fewer keys to use up. */
let limited: Service

before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_REQUEST_REPEAT: '9/30s' })
  limited = await startService({ ...productionLimits, RATE_LIMIT_KEY_CREATION: `${FEW}/1h` })
})
after(async () => {
  await service.close()
  await limited.close()
})

const create = (on: Service, token: string) => on.call('POST /auth/api-keys', { token })

/** Creates all keys that an hour allows and revokes each, to stay below the limit of live keys. */
async function useUp(on: Service, token: string, left: number): Promise<void> {
  for (let n = 0; n < left; n++) {
    const { apiKey } = await createKey(on, token)
    await on.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  }
}

test('the 61st key of a user in an hour gets 429 and is not stored, even after another sign-in', async () => {
  const token = await service.signIn('ana@example.com')
  await useUp(service, token, 60)
  const { apiKeys } = await databaseContent(service.db)
  const refused = await create(service, token)
  assertError(refused, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"key-creation";r=0;t=60$/)
  assertError(await create(service, await service.signIn('ana@example.com')), 'RATE_LIMITED')
  assert.deepEqual((await databaseContent(service.db)).apiKeys, apiKeys)

  const other = await service.signIn('bob@example.com')
  assert.equal((await create(service, other)).status, 201, 'another user')
})

test('a thief who signs up with an address first cannot use up its owner’s key creations', async () => {
  const thief = await limited.signUp('cia@example.com')
  await useUp(limited, thief.token, FEW)
  assertError(await create(limited, thief.token), 'RATE_LIMITED')
  assert.equal((await exchange(limited, thief)).status, 200, 'only creating keys is limited')

  const owner = await limited.signIn('cia@example.com')
  assert.equal((await create(limited, owner)).status, 201)
})

test('a stolen key and its descendants share one count, separate from its owner and other keys', async () => {
  const owner = await limited.signIn('dan@example.com')
  const [stolen, other] = [await createKey(limited, owner), await createKey(limited, owner)]
  const child = await createKey(limited, await tokenOf(limited, stolen))
  await useUp(limited, await tokenOf(limited, child), FEW - 1)
  for (const key of [stolen, child]) assertError(await create(limited, await tokenOf(limited, key)), 'RATE_LIMITED')
  assert.equal((await create(limited, owner)).status, 201)
  assert.equal((await create(limited, await tokenOf(limited, other))).status, 201)
})

test('rotations count as key creations, and a refused one keeps the secret', async () => {
  const token = await limited.signIn('eva@example.com')
  let last = await createKey(limited, token)
  for (let used = 1; used < FEW; used++) last = await rotateKey(limited, token, last)
  const refused = await limited.call(`POST /auth/api-keys/${last.apiKey.id}/rotate`, { token })
  assertError(refused, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await exchange(limited, last)).status, 200)
})
