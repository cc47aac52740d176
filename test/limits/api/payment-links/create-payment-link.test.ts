import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { createKey, keepKey, tokenOf } from '../../../support/accounts/keys.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
before(async () => {
  service = await startService({
    ...productionLimits,
    RATE_LIMIT_PAYMENT_LINKS: '4/10m',
    RATE_LIMIT_REQUEST_REPEAT: '9/30s',
  })
})
after(() => service.close())

const make = (token: string) => service.call('POST /payment-links', { token, body: { amount: 100, title: 'Tea' } })

/** Creates links until one is refused; returns how many were created. */
async function useUp(token: string): Promise<number> {
  for (let made = 0; ; made += 1) {
    const answer = await make(token)
    if (answer.status === 201) continue
    assertError(answer, 'RATE_LIMITED')
    return made
  }
}

test('links created before the claim, by any key, do not count against the owner', async () => {
  const email = 'ana@example.com'
  const first = await service.signUp(email)
  const second = await tokenOf(service, await createKey(service, first.token))
  assert.equal(await useUp(first.token), 4)
  assert.equal(await useUp(second), 0, 'before the claim all callers share a count')
  const owner = await service.signIn(email)
  await keepKey(service, owner, first)
  assert.equal(await useUp(owner), 4)
  assert.equal(await useUp(await tokenOf(service, first)), 4, 'nor against a key that the owner keeps')
})

test('a key and its descendants share a count; the owner and other keys have their own', async () => {
  const owner = await service.signIn('bob@example.com')
  const [stolen, other] = [await createKey(service, owner), await createKey(service, owner)]
  const child = await createKey(service, await tokenOf(service, stolen))
  const grandchild = await createKey(service, await tokenOf(service, child))
  assert.equal(await useUp(await tokenOf(service, grandchild)), 4)
  for (const key of [stolen, child]) assert.equal(await useUp(await tokenOf(service, key)), 0)
  const late = await createKey(service, await tokenOf(service, child))
  assert.equal(await useUp(await tokenOf(service, late)), 0, 'a further key adds no share')
  assert.equal(await useUp(await tokenOf(service, other)), 4)
  assert.equal(await useUp(owner), 4)
})

test('a person’s sign-ins share a count until the person ends them all', async () => {
  const email = 'cia@example.com'
  const owner = await service.signIn(email)
  const key = await createKey(service, owner)
  assert.equal(await useUp(owner), 4)
  assert.equal(await useUp(await service.signIn(email)), 0)
  assert.equal(await useUp(await tokenOf(service, key)), 4)
  // The holder of a key cannot start a new count with it.
  assertError(
    await service.call('POST /auth/tokens/revoke', { token: await tokenOf(service, key) }),
    'SIGN_IN_REQUIRED',
  )
  assert.equal(await useUp(await tokenOf(service, key)), 0)
  assert.equal((await service.call('POST /auth/tokens/revoke', { token: owner })).status, 200)
  assert.equal(await useUp(await service.signIn(email)), 4)
})

test('while the account is unclaimed, revoking all tokens starts no new count', async () => {
  const first = await service.signUp('dan@example.com')
  assert.equal(await useUp(first.token), 4)
  await service.call('POST /auth/tokens/revoke', { token: first.token })
  assert.equal(await useUp(await tokenOf(service, first)), 0)
})
