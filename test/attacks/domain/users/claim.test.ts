import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Adds keys to an account, each created by the one before, as a thief could do in a month. */
async function addKeyChain(userId: string, keys: number): Promise<void> {
  const { db, clock } = service
  const numbers = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${keys})`
  await sql`${numbers} insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms, revoked_at_ms)
    select ${userId} || i, ${userId}, 'Key', ${userId} || i, 'hash' || i, ${clock.now()}, case when i % 100 = 0 then null else 1 end from n`.execute(
    db.query,
  )
  await sql`${numbers} insert into key_makers (id, user_id, key_id, how, maker_key_id, at_ms)
    select ${userId} || i, ${userId}, ${userId} || i, 'created', ${userId} || (i - 1), ${clock.now()} from n`.execute(
    db.query,
  )
}

test('an owner claims an account with 40,000 keys, and none of them stays active', async () => {
  const email = 'ana@example.com'
  const { user } = await service.signUp(email)
  await addKeyChain(user.id, 40_000)
  const token = await mailedToken(service, email)
  const tookMs = stopwatch()
  assert.equal((await verify(service, token)).status, 200)
  assert.ok(tookMs() < 4000)
  const working = await service.db.query
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', user.id)
    .where('revoked_at_ms', 'is', null)
    .where('awaits_owner_at_ms', 'is', null)
    .execute()
  assert.deepEqual(working, [])
})

test('a family of 10,000 keys is listed, revoked and deleted while other calls are served', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const { id } = await userOf(service.db, email)
  await addKeyChain(id, 10_000)
  const bystander = await service.signUp('cia@example.com')
  const slow = [
    `GET /auth/api-keys/${id}100/descendants`,
    `POST /auth/api-keys/${id}100/revoke?withDescendants=true`,
    'DELETE /users/me',
  ]
  for (const route of slow) {
    // One request deletes up to 6000 keys. Until the account is within its bounds, each call shortens it for some seconds and returns 503.
    for (let calls = 1; ; calls += 1) {
      const ended: string[] = []
      const [answer, other] = await Promise.all([
        service.call(route, { token }).finally(() => ended.push('the family')),
        service.call('GET /users/me', { token: bystander.token }).finally(() => ended.push('another')),
      ])
      assert.equal(other.status, 200)
      if (answer.status === 503 && calls < 100) {
        assert.deepEqual(ended, ['another', 'the family'])
        continue
      }
      assert.equal(answer.status, 200, `${route} ${answer.text.slice(0, 200)}`)
      break
    }
  }
})
