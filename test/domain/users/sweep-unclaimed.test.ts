/** Accounts that nobody has claimed or used since are deleted, if the operator sets a time. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { disableAccount } from '../../../src/domain/users/disable-account.ts'
import { lockUser } from '../../../src/domain/users/user-store.ts'
import { createKey, exchange, tokenOf } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service
let unset: Service
before(async () => {
  service = await startService({ UNCLAIMED_ACCOUNT_RETENTION_DAYS: '90' })
  unset = await startService()
})
after(async () => {
  await service?.close()
  await unset?.close()
})

const addressesIn = async ({ db }: Service) =>
  (
    await db.query.selectFrom('users').select('email').where('deleted_at_ms', 'is', null).orderBy('email').execute()
  ).map(({ email }) => email)

async function later({ clock, deps }: Service, days: number): Promise<void> {
  await deps.keyUse.flush()
  clock.advance(days * DAY_MS)
  await upkeep(deps)
}

test('an unclaimed account unused for the time is deleted whole; claimed, used, disabled and paid ones stay', async () => {
  const unused = await service.signUp('unused@example.com')
  const used = await service.signUp('used@example.com')
  const keyed = await service.signUp('keyed@example.com')
  const linked = await service.signUp('linked@example.com')
  await service.signUp('disabled@example.com')
  await service.signIn('claimed@example.com')
  await createLink(service, linked.token)
  await service.db.transaction(async (trx) => {
    const user = await lockUser(trx, 'email', 'disabled@example.com')
    if (user !== undefined) await disableAccount(service.deps, trx, user)
  })
  const laterKey = await createKey(service, keyed.token)
  await later(service, 45)
  assert.equal((await exchange(service, used)).status, 200)
  await createKey(service, await tokenOf(service, laterKey))
  await later(service, 45)
  assert.equal((await addressesIn(service)).length, 6, 'to the day')
  await later(service, 1)
  const stay = ['claimed', 'disabled', 'keyed', 'linked', 'used'].map((name) => `${name}@example.com`)
  assert.deepEqual(await addressesIn(service), stay)
  for (const table of ['api_keys', 'key_makers', 'security_events'] as const) {
    const rows = await service.db.query.selectFrom(table).selectAll().where('user_id', '=', unused.user.id).execute()
    assert.deepEqual(rows, [], table)
  }
  assert.equal((await exchange(service, unused)).status, 401)
  // The address is free again.
  await service.signUp('unused@example.com')
  await later(service, 91)
  assert.deepEqual(
    await addressesIn(service),
    ['claimed', 'disabled', 'linked'].map((name) => `${name}@example.com`),
  )
})

test('without the setting no account is deleted', async () => {
  await unset.signUp('unused@example.com')
  await later(unset, 3650)
  assert.deepEqual(await addressesIn(unset), ['unused@example.com'])
})

test('more accounts than one page are deleted, past those in use', async () => {
  const { db, clock } = service
  const [row] = await db.query.selectFrom('users').selectAll().where('email', '=', 'linked@example.com').execute()
  assert.ok(row)
  const rows = Array.from({ length: 150 }, (_, n) => ({
    ...row,
    id: `user-${n}`,
    email: `user-${n}@example.com`,
    created_at_ms: clock.now(),
  }))
  await db.query.insertInto('users').values(rows).execute()
  const key = await db.query.selectFrom('api_keys').selectAll().limit(1).executeTakeFirstOrThrow()
  const inUse: (typeof key)[] = []
  for (const { id } of rows.filter((_, n) => n % 2 === 0))
    inUse.push({ ...key, id, user_id: id, key_id: id, last_used_at_ms: clock.now() + DAY_MS })
  await db.query.insertInto('api_keys').values(inUse).execute()
  clock.advance(DAY_MS / 2)
  await later(service, 90)
  const left = (await addressesIn(service)).filter((email) => email.startsWith('user-'))
  assert.deepEqual(left, inUse.map(({ id }) => `${id}@example.com`).sort())
})
