/** How long an answer takes tells nothing about whether a key or an account exists. */
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

/** Two calls each. */
const PAIRS = Number(process.env['TIMING_PAIRS'] ?? 10_000)

/**
 * Beyond this the kinds count as told apart. Equal kinds exceed 5 once in 1.7 million runs; what moves
 * one pair in 40 to the other side (52.5 of 100 instead of 50) gives 5 with 10,000 pairs: about half a
 * microsecond of an exchange's 120 on the machine this was written on.
 */
const TOLD_APART = 5

/** The planted difference, in microseconds: about what two more reads of the database take. */
const PLANTED_MICROSECONDS = 40

let service: Service
let planted: ((body: unknown) => boolean) | undefined
before(async () => {
  // No mail leaves: what is measured is the answer, not the sending beside it.
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

// Of the right form and checksum: otherwise the id is not even looked up.
const unknownId = () => exchangeOf(newKeyId(systemRandom), newKeySecret(systemRandom))

describe('an exchange with an unknown id against one with a wrong secret', () => {
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

  test('cannot be told apart [K4]', async (context) => {
    assert.ok(Math.abs(await measure(context, kinds)) < TOLD_APART)
  })

  test('can be, as soon as there is a difference', async (context) => {
    planted = (body) => known.has((body as { keyId: string }).keyId)
    const z = await measure(context, kinds)
    planted = undefined
    assert.ok(z < -TOLD_APART, `z = ${z}`)
  })
})

describe('a link request for a known address against one for an unknown address', () => {
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

  test('cannot be told apart [M11]', async (context) => {
    assert.ok(Math.abs(await measure(context, kinds)) < TOLD_APART)
  })

  test('can be, as soon as there is a difference', async (context) => {
    planted = (body) => (body as { email: string }).email.startsWith('known')
    const z = await measure(context, kinds)
    planted = undefined
    assert.ok(z < -TOLD_APART, `z = ${z}`)
  })
})

describe('an exchange with an unknown id against one with the right secret of a dead key', () => {
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
    test(`cannot be told apart, where it is ${why} [K4]`, async (context) => {
      assert.ok(Math.abs(await measure(context, [TEN.map(unknownId), dead[why]])) < TOLD_APART)
    })
  }
})

async function signUpFor(email: string): Promise<string> {
  const { body } = await service.call('POST /auth/api/signup', { body: { email } })
  return body.token
}
