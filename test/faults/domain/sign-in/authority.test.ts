import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Tables } from '../../../../src/database/tables/tables.ts'
import { withFailingCommit, withFailingWrite } from '../../../support/database/faults.ts'
import { createKey, exchange, statesOf, tokenOf } from '../../../support/accounts/keys.ts'
import { mailedToken } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, untilErased } from '../../../support/database/state.ts'
import { until } from '../../../support/until.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** A planted failure may have hit a mail, which is due again later: the clock moves there. */
async function untilMailed(): Promise<void> {
  const { db, clock, deps, isSending } = service
  const next = db.query.selectFrom('queued_mails').select(['due_at_ms', 'leased_until_ms'])
  await until(async () => {
    const mail = await next.executeTakeFirst()
    if (mail === undefined) return !isSending()
    const waitMs = Math.max(mail.due_at_ms, mail.leased_until_ms ?? 0) - clock.now()
    if (waitMs > 0 && !isSending()) {
      clock.advance(waitMs)
      deps.mailer.wake()
    }
    return false
  }, 'all mails are sent')
}

type Revocation = Readonly<{
  attempt: () => Promise<Answer>
  /** For each token or secret, whether it still works. */
  areGood: () => Promise<boolean[]>
}>

const tokensAreGood = async (tokens: readonly string[]) =>
  (await statesOf(service, tokens)).map((state) => state !== 'UNAUTHORIZED')

/** For each revocation, a table that it changes and its set-up with a new account. */
const revocations: Readonly<Record<string, readonly [keyof Tables, (email: string) => Promise<Revocation>]>> = {
  'revoking a key': [
    'api_keys',
    async (email) => {
      const token = await service.signIn(email)
      const key = await createKey(service, token)
      const tokens = [await tokenOf(service, key)]
      const attempt = () => service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token })
      return { attempt, areGood: () => tokensAreGood(tokens) }
    },
  ],
  'revoking a key with its descendants': [
    'api_keys',
    async (email) => {
      const token = await service.signIn(email)
      const key = await createKey(service, token)
      const tokens = [await tokenOf(service, key)]
      for (const maker of [0, 0, 1]) {
        // One notice at a time: a delayed one would be sent during the attempts and change the stored rows.
        await recipientsOf(service)
        await untilErased(service)
        tokens.push(await tokenOf(service, await createKey(service, tokens[maker] ?? '')))
      }
      const route = `POST /auth/api-keys/${key.apiKey.id}/revoke?withDescendants=true`
      return { attempt: () => service.call(route, { token }), areGood: () => tokensAreGood(tokens) }
    },
  ],
  'rotating a key': [
    'api_keys',
    async (email) => {
      const token = await service.signIn(email)
      const key = await createKey(service, token)
      return {
        attempt: () => service.call(`POST /auth/api-keys/${key.apiKey.id}/rotate`, { token }),
        areGood: async () => [(await exchange(service, key)).status === 200],
      }
    },
  ],
  'revoking every token': [
    'users',
    async (email) => {
      const token = await service.signIn(email)
      const tokens = [token, await tokenOf(service, await createKey(service, token))]
      const attempt = () => service.call('POST /auth/tokens/revoke', { token })
      return { attempt, areGood: () => tokensAreGood(tokens) }
    },
  ],
  'deleting an account': [
    'users',
    async (email) => {
      const token = await service.signIn(email)
      const tokens = [token, await tokenOf(service, await createKey(service, token))]
      return { attempt: () => service.call('DELETE /users/me', { token }), areGood: () => tokensAreGood(tokens) }
    },
  ],
  'claiming an account': [
    'users',
    async (email) => {
      const thief = await service.signUp(email)
      const second = await createKey(service, thief.token)
      const tokens = [thief.token, await tokenOf(service, second)]
      const link = await mailedToken(service, email)
      const attempt = () => service.call(`GET /auth/verify?token=${link}`)
      return { attempt, areGood: () => tokensAreGood(tokens) }
    },
  ],
}

const all = (value: boolean, of: readonly unknown[]) => of.map(() => value)

for (const [what, [table, prepare]] of Object.entries(revocations)) {
  const local = what.replaceAll(' ', '-')

  describe(what, () => {
    test('gets 5xx and changes nothing if any one of its writes fails, and succeeds if none does [F15, CVE-2020-15223]', async () => {
      const { attempt, areGood } = await prepare(`${local}@example.com`)
      await recipientsOf(service)
      await untilErased(service)
      let failures = 0
      while (failures < 50) {
        const stored = await databaseContent(service.db)
        const answer = await withFailingWrite(service.db, failures + 1, attempt)
        if (answer.status === 200) break
        failures += 1
        assert.equal(answer.status, 500, answer.text)
        assert.deepEqual(await databaseContent(service.db), stored, `after failure ${failures}`)
        const good = await areGood()
        assert.deepEqual(good, all(true, good))
      }
      assert.ok(failures >= 2, `${failures} writes can fail: at least the change and its event`)
      await untilMailed()
      const good = await areGood()
      assert.deepEqual(good, all(false, good))
    })

    test('gets 5xx and changes nothing if its commit fails [F15, CVE-2020-15223]', async () => {
      const { attempt, areGood } = await prepare(`${local}-commit@example.com`)
      await untilErased(service)
      const answer = await assertNothingHappens(service, () => withFailingCommit(service.db, table, attempt))
      assert.equal(answer.status, 500, answer.text)
      const untouched = await areGood()
      assert.deepEqual(untouched, all(true, untouched))
      assert.equal((await attempt()).status, 200)
      const afterwards = await areGood()
      assert.deepEqual(afterwards, all(false, afterwards))
    })
  })
}
