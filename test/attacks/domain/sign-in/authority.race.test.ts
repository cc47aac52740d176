/** A write on a token's authority runs only while the token is valid, and one user's writes run one at a time. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { withAuthority } from '../../../../src/domain/sign-in/authority.ts'
import type { Caller } from '../../../../src/domain/sign-in/authority.ts'
import { findUser, renameUser } from '../../../../src/domain/users/user-store.ts'
import { ApiError } from '../../../../src/errors.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { databaseContent, recipientsOf, userOf } from '../../../support/database/state.ts'
import { read } from '../../../support/accounts/tokens.ts'
import { addTriggers } from '../../../support/database/triggers.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** The caller that the guard derives from this token. */
function callerWith(token: string): Caller {
  const { sub, role, tokenVersion, amr, apiKeyId = null, sid, iat } = read(token).claims as Record<string, any>
  const signInId = apiKeyId === null ? sid : null
  const account = {} as Caller['account']
  return {
    userId: sub,
    role,
    tokenVersion,
    amr: amr[0],
    apiKeyId,
    signInId,
    sid,
    issuedAtSeconds: iat,
    account,
    scope: null,
  }
}

const users = () => service.db.query.updateTable('users')
const keys = () => service.db.query.updateTable('api_keys')

/** The database's content, once all mails are sent. */
async function storedNow() {
  await recipientsOf(service)
  return databaseContent(service.db)
}

const changes: Readonly<Record<string, (caller: Caller) => Promise<unknown>>> = {
  'the user signed out everywhere': ({ userId }) =>
    users().set({ token_version: 1 }).where('id', '=', userId).execute(),
  'the user has another role': ({ userId }) => users().set({ role: 'ADMIN' }).where('id', '=', userId).execute(),
  'the key was revoked': ({ apiKeyId }) => keys().set({ revoked_at_ms: 1 }).where('id', '=', apiKeyId).execute(),
  'the key awaits the owner': ({ apiKeyId }) =>
    keys().set({ awaits_owner_at_ms: 1 }).where('id', '=', apiKeyId).execute(),
  'the key has expired': ({ apiKeyId }) =>
    keys().set({ expires_at_ms: service.clock.now() }).where('id', '=', apiKeyId).execute(),
  'the owner claimed the account': async ({ userId }) => {
    const user = await findUser(service.db, userId)
    await service.signIn(user!.email)
  },
  'the key was deleted': ({ apiKeyId }) =>
    service.db.query.deleteFrom('api_keys').where('id', '=', apiKeyId!).execute(),
  'the sign-in was ended': ({ signInId }) =>
    service.db.query.updateTable('sign_ins').set({ ended_at_ms: 1 }).where('id', '=', signInId).execute(),
  'the user was deleted': async ({ userId }) => {
    await service.db.query.deleteFrom('security_events').where('user_id', '=', userId).execute()
    await service.db.query.deleteFrom('api_keys').where('user_id', '=', userId).execute()
    await service.db.query.deleteFrom('users').where('id', '=', userId).execute()
  },
}

describe('a change between guard and write gets 401, and the write never runs:', () => {
  for (const [what, change] of Object.entries(changes)) {
    test(what, async () => {
      const email = `${what.replaceAll(' ', '-')}@example.com`
      const isSignIn = what === 'the sign-in was ended'
      const caller = callerWith(isSignIn ? await service.signIn(email) : (await service.signUp(email)).token)
      const rename = () => withAuthority(service.deps, caller, (trx, user) => renameUser(trx, user.id, 'Renamed'))
      await rename()
      assert.equal((await userOf(service.db, email)).name, 'Renamed', 'control: written before the change')

      await change(caller)
      const stored = await storedNow()
      let hasRun = false
      const write = withAuthority(service.deps, caller, async (trx, user) => {
        hasRun = true
        await renameUser(trx, user.id, 'Mallory')
      })
      await assert.rejects(write, (error) => error instanceof ApiError && error.code === 'UNAUTHORIZED')
      assert.equal(hasRun, false)
      assert.deepEqual(await databaseContent(service.db), stored)
    })
  }
})

test('the write receives the user’s current row, and its result is returned', async () => {
  const token = await service.signIn('now@example.com')
  await users().set({ name: 'New' }).where('email', '=', 'now@example.com').execute()
  const user = await withAuthority(service.deps, callerWith(token), async (_, row) => row)
  assert.deepEqual(user, await userOf(service.db, 'now@example.com'))
})

test('a write that fails half way stores nothing', async () => {
  const token = await service.signIn('half@example.com')
  const stored = await storedNow()
  const write = withAuthority(service.deps, callerWith(token), async (trx, user) => {
    await renameUser(trx, user.id, 'Half')
    throw new Error('the second half')
  })
  await assert.rejects(write, /the second half/)
  assert.deepEqual(await databaseContent(service.db), stored)
})

test('concurrent writes of one user run one at a time, and none is lost', async () => {
  const caller = callerWith(await service.signIn('serial@example.com'))
  let running = 0
  const append = () =>
    withAuthority(service.deps, caller, async (trx, user) => {
      running += 1
      assert.equal(running, 1)
      const reread = await findUser(trx, user.id)
      assert.deepEqual(reread, user)
      await renameUser(trx, user.id, `${user.name ?? ''}x`)
      running -= 1
    })
  await Promise.all(Array.from({ length: 30 }, append))
  assert.equal((await userOf(service.db, 'serial@example.com')).name, 'x'.repeat(30))
})

test('a call that passed the guard creates no key after the account has signed out everywhere', async () => {
  const { db } = service
  const token = await service.signIn('race@example.com')
  const { id } = await userOf(db, 'race@example.com')
  await sql`create table history (event text)`.execute(db.query)
  const note = (event: string) => `insert into history values ('${event}')`
  const remove = await addTriggers(
    db,
    { on: 'after insert', table: 'api_keys', run: note('made') },
    { on: 'after update', table: 'users', when: 'new.token_version > old.token_version', run: note('revoked') },
  )

  const create = () => service.call('POST /auth/api-keys', { token, body: {} })
  const answers = await runInLockstep(service, 16, (n) =>
    n === 8 ? service.call('POST /auth/tokens/revoke', { token }) : create(),
  )
  const { rows: history } = await sql<{ event: string }>`select event from history`.execute(db.query)
  const events = history.map(({ event }) => event)
  assert.ok(events.includes('revoked'))
  assert.equal(events.lastIndexOf('made') < events.indexOf('revoked'), true, events.join(' '))

  const made = answers.filter(({ status }) => status === 201).map(({ body }) => String(body.apiKey.id))
  assert.equal(answers.filter(({ status }) => status === 401).length, 15 - made.length)
  const rows = await db.query.selectFrom('api_keys').select('id').where('user_id', '=', id).execute()
  assert.deepEqual(rows.map((row) => row.id).toSorted(), made.toSorted())
  assert.equal((await create()).status, 401)
  await remove()
})
