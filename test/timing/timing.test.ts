/** Response times must not reveal whether a key or an account exists. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { newKeyId, newKeySecret } from '../../src/domain/keys/key-secret.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { freePort } from '../support/files.ts'
import { disable } from '../support/accounts/disabled.ts'
import { createKey } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { distinguish } from './distinguish.ts'
import type { Post } from './distinguish.ts'

const PAIRS = Number(process.env['TIMING_PAIRS'] ?? 10_000)

/**
 * Above this |z| the kinds are distinguishable. Equal kinds exceed 5 once in 1.7 million runs. A shift of one pair in
 * 40 (52.5 of 100 instead of 50) gives 5 with 10,000 pairs: about half a microsecond of an exchange's 120 on the
 * machine this was written on.
 */
const DISTINGUISHABLE_Z = 5

/** The planted difference: about the time of two more database reads. */
const PLANTED_MICROSECONDS = 40

let service: Service
let planted: ((body: unknown) => boolean) | undefined
before(async () => {
  // No mail is sent: the test measures the answer, without the sending beside it.
  const smtp = `smtp://127.0.0.1:${await freePort()}`
  service = await startService({ SMTP_URL: smtp, LOG_LEVEL: 'silent' }, (app) => {
    app.addHook('preHandler', async ({ body }) => {
      if (!planted?.(body)) return
      const end = process.hrtime.bigint() + BigInt(PLANTED_MICROSECONDS * 1000)
      while (process.hrtime.bigint() < end);
    })
  })
})
after(() => service.close())

const TEN = Array.from({ length: 10 }, (_, index) => index)

type Kinds = readonly [readonly Post[], readonly Post[]]

async function measure(context: TestContext, kinds: Kinds): Promise<number> {
  const z = await distinguish(PAIRS, ...kinds)
  context.diagnostic(`${PAIRS} pairs: z = ${z.toFixed(2)}`)
  return z
}

const exchangeOf = (keyId: string, keySecret: string): Post => ({
  url: `${service.baseUrl}/auth/api/token`,
  body: { keyId, keySecret },
})

// With a valid form and checksum; any other id is refused without a look-up.
const unknownId = () => exchangeOf(newKeyId(systemRandom), newKeySecret(systemRandom))

describe('an exchange with an unknown id and one with a wrong secret', () => {
  let kinds: readonly [Post[], Post[]]
  const known = new Set<string>()
  before(async () => {
    for (const index of TEN) {
      const body = { email: `key-${index}@example.com` }
      const answer = await service.call('POST /auth/api/signup', { body })
      known.add(answer.body.apiKey.keyId)
    }
    const wrongSecret = (keyId: string) => exchangeOf(keyId, newKeySecret(systemRandom))
    kinds = [TEN.map(unknownId), [...known].map(wrongSecret)]
  })

  test('take equally long [K4]', async (context) => {
    assert.ok(Math.abs(await measure(context, kinds)) < DISTINGUISHABLE_Z)
  })

  test('are distinguishable with a planted difference (control)', async (context) => {
    planted = (body) => known.has((body as { keyId: string }).keyId)
    const z = await measure(context, kinds)
    planted = undefined
    assert.ok(z < -DISTINGUISHABLE_Z, `z = ${z}`)
  })
})

describe('link requests for a known and for an unknown address', () => {
  let kinds: readonly [Post[], Post[]]
  before(async () => {
    const post = (email: string): Post => ({ url: `${service.baseUrl}/auth/request`, body: { email } })
    for (const index of TEN) {
      const body = { email: `known-${index}@example.com` }
      await service.call('POST /auth/api/signup', { body })
    }
    kinds = [
      TEN.map((index) => post(`other-${index}@example.com`)),
      TEN.map((index) => post(`known-${index}@example.com`)),
    ]
  })

  test('take equally long [M11]', async (context) => {
    assert.ok(Math.abs(await measure(context, kinds)) < DISTINGUISHABLE_Z)
  })

  test('are distinguishable with a planted difference (control)', async (context) => {
    planted = (body) => (body as { email: string }).email.startsWith('known')
    const z = await measure(context, kinds)
    planted = undefined
    assert.ok(z < -DISTINGUISHABLE_Z, `z = ${z}`)
  })
})

describe('an exchange with an unknown id and one with the right secret of a dead key', () => {
  const dead = { revoked: [] as Post[], expired: [] as Post[], 'of a disabled account': [] as Post[] }
  before(async () => {
    const token = await signUpFor('dead@example.com')
    for (const _ of TEN) {
      const revoked = await createKey(service, token)
      await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
      const expired = await createKey(service, token, { expiresInDays: 1 })
      dead.revoked.push(exchangeOf(revoked.apiKey.keyId, revoked.keySecret))
      dead.expired.push(exchangeOf(expired.apiKey.keyId, expired.keySecret))
    }
    service.clock.advance(24 * 3600 * 1000)
    const disabled = await signUpFor('disabled@example.com')
    for (const _ of TEN) {
      const { apiKey, keySecret } = await createKey(service, disabled)
      dead['of a disabled account'].push(exchangeOf(apiKey.keyId, keySecret))
    }
    await disable(service, 'disabled@example.com')
  })

  for (const why of ['revoked', 'expired', 'of a disabled account'] as const) {
    test(`take equally long if the key is ${why} [K4]`, async (context) => {
      assert.ok(Math.abs(await measure(context, [TEN.map(unknownId), dead[why]])) < DISTINGUISHABLE_Z)
    })
  }
})

async function signUpFor(email: string): Promise<string> {
  const { body } = await service.call('POST /auth/api/signup', { body: { email } })
  return body.token
}
