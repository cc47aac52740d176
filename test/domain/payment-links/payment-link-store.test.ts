import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pressNotMe, signInMail } from '../../support/mail/buttons.ts'
import { createKey, keepKey, rotateKey, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { createLink, publicStatusOf, readLink, listAllIds } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = (token: string, { apiKey }: NewKey) => service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })

/** Signs up with an address and creates a link with that key. */
async function signedUp(email: string, body: object = {}) {
  const key: NewKey & { token: string } = await service.signUp(email)
  return { key, token: key.token, id: (await createLink(service, key.token, body)).id as string }
}

/** Checks the status everywhere it is shown: publicly, alone, in the list, and by the filter. */
async function assertStatus(token: string, status: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    assert.equal(await publicStatusOf(service, id), status)
    assert.equal((await readLink(service, token, id)).status, status)
    const { body } = await service.call('GET /payment-links', { token })
    assert.equal(body.paymentLinks.find((link: { id: string }) => link.id === id).status, status)
    for (const asked of ['ACTIVE', 'INACTIVE', 'EXPIRED']) {
      assert.equal((await listAllIds(service, token, { status: asked })).includes(id), asked === status, asked)
    }
  }
}

test('a link of an unclaimed account is ACTIVE', async () => {
  const { token, id } = await signedUp('ana@example.com')
  await assertStatus(token, 'ACTIVE', id)
})

test('the owner’s first sign-in makes links INACTIVE; keeping a key makes its links ACTIVE again, and no other key’s', async () => {
  const { key, token, id } = await signedUp('bob@example.com')
  const other = await createKey(service, token)
  const { id: ofOther } = await createLink(service, await tokenOf(service, other))
  const owner = await service.signIn('bob@example.com')
  await assertStatus(owner, 'INACTIVE', id, ofOther)
  await keepKey(service, owner, key)
  await assertStatus(owner, 'ACTIVE', id)
  await assertStatus(owner, 'INACTIVE', ofOther)
  await keepKey(service, owner, other)
  await assertStatus(owner, 'ACTIVE', id, ofOther)
})

test('the account’s state when a link was created decides, not the order of two clocks', async () => {
  const ahead = await signedUp('cia@example.com')
  // The process that made the link was ahead of the one that saw the claim and the key's revocation.
  service.clock.advance(-5000)
  await revoke(ahead.token, ahead.key)
  const owner = await service.signIn('cia@example.com')
  await assertStatus(owner, 'INACTIVE', ahead.id)
  service.clock.advance(-5000)
  const { id } = await createLink(service, owner)
  await assertStatus(owner, 'ACTIVE', id)
  service.clock.advance(10_000)
})

test('the links of a key that the owner revokes instead of keeping stay INACTIVE', async () => {
  const { key, id } = await signedUp('dan@example.com')
  const owner = await service.signIn('dan@example.com')
  await revoke(owner, key)
  await assertStatus(owner, 'INACTIVE', id)
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/keep`, { token: owner })
  await assertStatus(owner, 'INACTIVE', id)
})

test('the links of a key that was revoked before the claim stay INACTIVE', async () => {
  const { key, token, id } = await signedUp('eva@example.com')
  await revoke(token, key)
  const owner = await service.signIn('eva@example.com')
  await assertStatus(owner, 'INACTIVE', id)
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/keep`, { token: owner })
  await assertStatus(owner, 'INACTIVE', id)
})

test('rotating or creating keys before the claim is not keeping them', async () => {
  const { key, token, id } = await signedUp('fay@example.com')
  await rotateKey(service, token, key)
  const made = await createKey(service, token)
  const { id: ofMade } = await createLink(service, await tokenOf(service, made))
  for (const each of [made, key]) await revoke(token, each)
  const owner = await service.signIn('fay@example.com')
  await assertStatus(owner, 'INACTIVE', id, ofMade)
})

test('links created after the claim by the owner, a new key or a kept one are ACTIVE, and stay so when the key is revoked', async () => {
  const { key } = await signedUp('gil@example.com')
  const owner = await service.signIn('gil@example.com')
  const own = await createLink(service, owner)
  const added = await createKey(service, owner)
  const ofAdded = await createLink(service, await tokenOf(service, added))
  await keepKey(service, owner, key)
  const ofKept = await createLink(service, await tokenOf(service, key))
  await assertStatus(owner, 'ACTIVE', own.id, ofAdded.id, ofKept.id)
  await revoke(owner, added)
  await revoke(owner, key)
  await assertStatus(owner, 'ACTIVE', own.id, ofAdded.id, ofKept.id)
})

test('a key put on hold by “not me” holds all its links, even those that were payable; keeping it frees them', async () => {
  const email = 'hal@example.com'
  await service.signIn(email)
  service.clock.advance(1000)
  const { link, notMe } = await signInMail(service, email)
  const { body } = await service.call(`GET /auth/verify?token=${link}`)
  const key = await createKey(service, body.token)
  const { id } = await createLink(service, await tokenOf(service, key))
  await assertStatus(body.token, 'ACTIVE', id)
  await pressNotMe(service, notMe)
  assert.equal(await publicStatusOf(service, id), 'INACTIVE')
  service.clock.advance(86_400_000)
  const owner = await service.signIn(email)
  await assertStatus(owner, 'INACTIVE', id)
  await keepKey(service, owner, key)
  await assertStatus(owner, 'ACTIVE', id)
})

test('a held link is INACTIVE, not EXPIRED, after its expiry; kept, it is EXPIRED; deactivated, it stays INACTIVE', async () => {
  const { key, token, id } = await signedUp('ida@example.com', {
    expiresAt: new Date(service.clock.now() + 1000).toISOString(),
  })
  const { id: ended } = await createLink(service, token)
  const owner = await service.signIn('ida@example.com')
  assert.equal((await service.call(`POST /payment-links/${ended}/deactivate`, { token: owner })).status, 200)
  service.clock.advance(1000)
  await assertStatus(owner, 'INACTIVE', id, ended)
  await keepKey(service, owner, key)
  await assertStatus(owner, 'EXPIRED', id)
  await assertStatus(owner, 'INACTIVE', ended)
})
