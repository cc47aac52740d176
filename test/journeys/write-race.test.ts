/** The race between guard and write: a revocation that commits in between wins, and the write has no effect. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertError } from '../support/http/answers.ts'
import type { Answer } from '../support/http/call.ts'
import { temporaryFolder } from '../support/files.ts'
import { lockDatabase, queryDatabase, serveIn } from '../support/process/served.ts'
import type { DatabaseLock, Served } from '../support/process/served.ts'

/** Long enough for a call to pass the guard and reach the lock; without the lock a call takes 5. */
const UNTIL_WAITING_MS = 300

/** A write that a token authorises, and its effect. */
type Write = Readonly<{
  name: string
  call(account: Account): Promise<Answer>
  success: number
  /** Reads from the database whether the write took effect. */
  trace(query: DatabaseLock['query'], account: Account): Promise<any[]>
}>
type Account = Readonly<{ token: string; userId: string; keyId: string; otherKeyId: string }>

describe('a write that passed the guard and waits for the lock', () => {
  const folder = temporaryFolder()
  let service: Served
  before(async () => {
    service = await serveIn(folder.path)
  })
  after(async () => {
    await service.stop()
    folder.remove()
  })

  const writes: Write[] = [
    {
      name: 'POST /auth/api-keys',
      call: ({ token }) => service.call('POST /auth/api-keys', { token, body: { name: 'Late' } }),
      success: 201,
      trace: (query, { userId }) =>
        query(`select count(*) as n from api_keys where user_id = ? and name = 'Late'`, userId),
    },
    {
      name: 'PATCH /users/me',
      call: ({ token }) => service.call('PATCH /users/me', { token, body: { name: 'Late' } }),
      success: 200,
      trace: (query, { userId }) => query('select name from users where id = ?', userId),
    },
    {
      name: 'POST /auth/api-keys/:id/revoke',
      call: ({ token, otherKeyId }) => service.call(`POST /auth/api-keys/${otherKeyId}/revoke`, { token }),
      success: 200,
      trace: (query, { otherKeyId }) =>
        query('select revoked_at_ms is null as live from api_keys where id = ?', otherKeyId),
    },
    {
      name: 'POST /auth/tokens/revoke',
      call: ({ token }) => service.call('POST /auth/tokens/revoke', { token }),
      success: 200,
      trace: (query, { userId }) => query('select token_version from users where id = ?', userId),
    },
  ]

  const revocations: Record<string, string> = {
    'the user’s tokenVersion goes up': 'update users set token_version = token_version + 1 where id = ? returning id',
    'the token’s key is revoked': 'update api_keys set revoked_at_ms = 1 where id = ? returning id',
    'the token’s key is put in quarantine': 'update api_keys set awaits_owner_at_ms = 1 where id = ? returning id',
  }

  let accounts = 0
  async function newAccount(): Promise<Account> {
    const body = { email: `user-${++accounts}@example.com` }
    const { token, user, apiKey } = (await service.call('POST /auth/api/signup', { body })).body
    const other = (await service.call('POST /auth/api-keys', { token, body: { name: 'Other' } })).body
    return { token, userId: user.id, keyId: apiKey.id, otherKeyId: other.apiKey.id }
  }

  /** Sends the write while this connection holds the lock, makes a change, and releases the lock. */
  async function race(write: Write, account: Account, meanwhile: string) {
    const held = await lockDatabase(folder.path)
    let hasAnswered = false
    const answer = write.call(account).finally(() => (hasAnswered = true))
    await wait(UNTIL_WAITING_MS)
    assert.equal(hasAnswered, false, 'the call waits for the lock')
    const id = meanwhile.includes('api_keys') ? account.keyId : account.userId
    assert.deepEqual(await held.query(meanwhile, id), [{ id }])
    const atCommit = await write.trace(held.query, account)
    await held.release()
    const query: DatabaseLock['query'] = (text, ...values) => queryDatabase(folder.path, text, ...values)
    return { answer: await answer, atCommit, afterwards: await write.trace(query, account) }
  }

  for (const write of writes) {
    for (const [cause, sql] of Object.entries(revocations)) {
      test(`${write.name} is refused and has no effect if meanwhile ${cause}`, async () => {
        const { answer, atCommit, afterwards } = await race(write, await newAccount(), sql)
        assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
        assert.deepEqual(afterwards, atCommit)
      })
    }

    test(`${write.name} succeeds if meanwhile nothing is revoked (control)`, async () => {
      const elsewhere = 'update users set token_version = token_version where id = ? returning id'
      const { answer, atCommit, afterwards } = await race(write, await newAccount(), elsewhere)
      assert.equal(answer.status, write.success, answer.text)
      assert.notDeepEqual(afterwards, atCommit)
    })
  }
})
