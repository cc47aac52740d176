/** Attacks on the bounded key history: a partly shortened history, and one that cannot be shortened. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { trimKeyHistory } from '../../../../src/domain/keys/key-history.ts'
import { countMakers, MAX_MAKERS } from '../../../../src/domain/keys/key-maker-store.ts'
import type { KeyMaker } from '../../../../src/domain/keys/key-maker-store.ts'
import { assertError } from '../../../support/http/answers.ts'
import { buttonIn, press, signInMail } from '../../../support/mail/buttons.ts'
import { createKey, exchange, keepKey, tokenOf } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { createLink } from '../../../support/accounts/payment-links.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { MAIL_WITHIN_MS } from '../../../support/mail/smtp.ts'
import { userOf } from '../../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = (token: string, { apiKey }: NewKey, query = '') =>
  service.call(`POST /auth/api-keys/${apiKey.id}/revoke${query}`, { token })

const statusOf = async (id: string) => (await service.call(`GET /payment-links/${id}/public`)).body.paymentLink.status

async function addMakers(userId: string, count: number, row: (n: number) => Partial<KeyMaker>): Promise<void> {
  const rows = Array.from({ length: count }, (_, n): KeyMaker => {
    const made = {
      user_id: userId,
      key_id: `none-${n}`,
      how: 'created',
      maker_key_id: null,
      sign_in_id: null,
      at_ms: 1,
      last_at_ms: null,
    } as const
    return { ...made, id: `${userId} ${n} ${Math.random()}`, ...row(n) }
  })
  for (let done = 0; done < count; done += 500)
    await service.db.query
      .insertInto('key_makers')
      .values(rows.slice(done, done + 500))
      .execute()
}

test('after one step of shortening, revoking a key with its descendants still reaches all of them', async () => {
  for (const isFromFirst of [true, false]) {
    const email = `step-${isFromFirst}@example.com`
    const owner = await service.signIn(email)
    const stolen = await createKey(service, owner)
    const between = await createKey(service, await tokenOf(service, stolen))
    const last = await createKey(service, await tokenOf(service, between))
    await revoke(owner, between)
    const { id: userId } = await userOf(service.db, email)
    const nowMs = service.clock.now()
    // `between` created more keys than one step moves. The row of `last` is inserted again after them, so it remains.
    const [made] = await service.db.query
      .selectFrom('key_makers')
      .selectAll()
      .where('key_id', '=', last.apiKey.id)
      .execute()
    await service.db.query.deleteFrom('key_makers').where('key_id', '=', last.apiKey.id).execute()
    await addMakers(userId, 250, () => ({ maker_key_id: between.apiKey.id, key_id: userId, at_ms: nowMs }))
    await addMakers(userId, 150, (n) => ({ maker_key_id: between.apiKey.id, key_id: `other-${n}`, at_ms: nowMs }))
    if (made !== undefined) await service.db.query.insertInto('key_makers').values(made).execute()
    const rest = MAX_MAKERS - 49 - (await countMakers(service.db, userId, MAX_MAKERS))
    await addMakers(userId, rest, (n) => ({
      key_id: stolen.apiKey.id,
      how: 'rotated',
      sign_in_id: `sign-in-${n}`,
      at_ms: nowMs,
    }))
    await trimKeyHistory(service.deps, userId)
    const isOnRecord = await service.db.query
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', between.apiKey.id)
      .executeTakeFirst()
    assert.ok(isOnRecord, 'only one step was taken')

    assert.equal((await revoke(owner, isFromFirst ? stolen : between, '?withDescendants=true')).status, 200)
    assertError(await exchange(service, last), 'INVALID_CREDENTIALS')
  }
})

/** More rows than are read, each of another sign-in in the last month, so none can be merged. */
async function fillWithSignIns(email: string): Promise<void> {
  const { id: userId } = await userOf(service.db, email)
  const atMs = service.clock.now() - DAY_MS
  await addMakers(userId, MAX_MAKERS + 100, (n) => ({
    key_id: 'of-then',
    how: 'rotated',
    sign_in_id: `sign-in-${n}`,
    at_ms: atMs + n,
  }))
  service.clock.advance(2 * DAY_MS)
}

test('in a history too large to shorten, a key’s newest descendants are listed, revocable by its own token and revoked with it', async () => {
  const email = 'many@example.com'
  const owner = await service.signIn(email)
  const stolen = await createKey(service, owner)
  await fillWithSignIns(email)
  const thief = await tokenOf(service, stolen)
  const [child, other] = [await createKey(service, thief), await createKey(service, thief)]
  const grandchild = await createKey(service, await tokenOf(service, child))
  const { body } = await service.call(`GET /auth/api-keys/${stolen.apiKey.id}/descendants`, { token: owner })
  const ids = [child, other, grandchild].map(({ apiKey }) => apiKey.id)
  assert.deepEqual(body.apiKeys.map(({ id }: { id: string }) => id).toSorted(), ids.toSorted())
  assert.equal((await revoke(thief, other)).status, 200, 'created by itself')
  assert.equal((await revoke(owner, stolen, '?withDescendants=true')).status, 200)
  for (const key of [stolen, child, grandchild]) assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
})

test('in a history too large to shorten, the not-me of a notice makes every key await the owner', async () => {
  const email = 'notice@example.com'
  await service.signIn(email)
  await fillWithSignIns(email)
  const thief = await service.signIn(email)
  const made = await createKey(service, thief, { name: 'Of the thief' })
  const notice = await service.smtp.mailTo(email, MAIL_WITHIN_MS, 'Of the thief')
  assert.equal((await press(service, 'not-me', buttonIn(notice, 'not-me'))).status, 200)
  assertError(await exchange(service, made), 'KEY_AWAITS_OWNER')
  assertError(await service.call('GET /users/me', { token: thief }), 'UNAUTHORIZED')
})

test('the not-me undoes a thief’s keeping of a key, even if that key is revoked or deleted; the owner’s keeping stays', async () => {
  for (const isGone of [false, true]) {
    const email = `word-${isGone}@example.com`
    const squatter = await service.signUp(email)
    const wanted = await createKey(service, squatter.token)
    const link = await createLink(service, squatter.token)
    const owner = await service.signIn(email)
    await keepKey(service, owner, wanted)
    const mail = await signInMail(service, email)
    const thief = (await service.call(`GET /auth/verify?token=${mail.link}`)).body.token
    await keepKey(service, thief, squatter)
    assert.equal(await statusOf(link.id), 'ACTIVE', 'the thief kept the key')
    await revoke(thief, squatter)
    if (isGone) {
      const { id: userId } = await userOf(service.db, email)
      const some = await service.db.query
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', squatter.apiKey.id)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: 1000 }, (_, n) => ({
        ...some,
        id: `${userId}-${n}`,
        key_id: `${userId}-${n}`,
        revoked_at_ms: service.clock.now() + n + 1,
      }))
      for (let done = 0; done < 1000; done += 200)
        await service.db.query
          .insertInto('api_keys')
          .values(rows.slice(done, done + 200))
          .execute()
      await trimKeyHistory(service.deps, userId)
      assert.equal(
        await service.db.query
          .selectFrom('api_keys')
          .select('id')
          .where('id', '=', squatter.apiKey.id)
          .executeTakeFirst(),
        undefined,
      )
    }
    assert.equal((await press(service, 'not-me', mail.notMe)).status, 200)
    assert.equal(await statusOf(link.id), 'INACTIVE')
    const { id: userId } = await userOf(service.db, email)
    const keptRows = await service.db.query
      .selectFrom('key_makers')
      .select('key_id')
      .where('user_id', '=', userId)
      .where('how', '=', 'kept')
      .execute()
    assert.ok(keptRows.every((row) => row.key_id !== squatter.apiKey.id))
    assert.ok(keptRows.some((row) => row.key_id === wanted.apiKey.id))
  }
})
