/** Attacks on a short key history: between two steps of its shortening, and on accounts that cannot be shortened. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bringWithinBounds } from '../../../../src/domain/keys/key-history.ts'
import { countMakers, MOST_MAKERS } from '../../../../src/domain/keys/key-maker-store.ts'
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

test('a history that was shortened by one step only still leads from a key, and from those it made, to all that came of them', async () => {
  for (const isByTheFirst of [true, false]) {
    const email = `step-${isByTheFirst}@example.com`
    const owner = await service.signIn(email)
    const stolen = await createKey(service, owner)
    const between = await createKey(service, await tokenOf(service, stolen))
    const last = await createKey(service, await tokenOf(service, between))
    await revoke(owner, between)
    const { id: userId } = await userOf(service.db, email)
    const nowMs = service.clock.now()
    // The key between made more keys than one step moves; the last of them is the one that is left.
    const [made] = await service.db.query
      .selectFrom('key_makers')
      .selectAll()
      .where('key_id', '=', last.apiKey.id)
      .execute()
    await service.db.query.deleteFrom('key_makers').where('key_id', '=', last.apiKey.id).execute()
    await addMakers(userId, 250, () => ({ maker_key_id: between.apiKey.id, key_id: userId, at_ms: nowMs }))
    await addMakers(userId, 150, (n) => ({ maker_key_id: between.apiKey.id, key_id: `other-${n}`, at_ms: nowMs }))
    if (made !== undefined) await service.db.query.insertInto('key_makers').values(made).execute()
    const rest = MOST_MAKERS - 49 - (await countMakers(service.db, userId, MOST_MAKERS))
    await addMakers(userId, rest, (n) => ({
      key_id: stolen.apiKey.id,
      how: 'rotated',
      sign_in_id: `sign-in-${n}`,
      at_ms: nowMs,
    }))
    await bringWithinBounds(service.deps, userId)
    const isOnRecord = await service.db.query
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', between.apiKey.id)
      .executeTakeFirst()
    assert.ok(isOnRecord, 'only a step of it')

    assert.equal((await revoke(owner, isByTheFirst ? stolen : between, '?withDescendants=true')).status, 200)
    assertError(await exchange(service, last), 'INVALID_CREDENTIALS')
  }
})

/** More rows than are read, of as many sign-ins within a month: nothing can be merged. */
async function fillWithSignIns(email: string): Promise<void> {
  const { id: userId } = await userOf(service.db, email)
  const atMs = service.clock.now() - DAY_MS
  await addMakers(userId, MOST_MAKERS + 100, (n) => ({
    key_id: 'of-then',
    how: 'rotated',
    sign_in_id: `sign-in-${n}`,
    at_ms: atMs + n,
  }))
  service.clock.advance(2 * DAY_MS)
}

test('where so many sign-ins acted that no shortening helps, a key’s newest descendants are still shown, its own to act on, and revoked with it', async () => {
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
  assert.equal((await revoke(thief, other)).status, 200, 'made by itself')
  assert.equal((await revoke(owner, stolen, '?withDescendants=true')).status, 200)
  for (const key of [stolen, child, grandchild]) assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
})

test('where so many sign-ins acted that no shortening helps, the not-me of a notice lets every key wait', async () => {
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

test('the word of a thief who let a waiting key work is taken back with the not-me, also where the key is revoked or gone; the owner’s stays', async () => {
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
    assert.equal(await statusOf(link.id), 'ACTIVE', 'a sign-in let the key work')
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
      await bringWithinBounds(service.deps, userId)
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
    const words = await service.db.query
      .selectFrom('key_makers')
      .select('key_id')
      .where('user_id', '=', userId)
      .where('how', '=', 'kept')
      .execute()
    assert.ok(words.every((row) => row.key_id !== squatter.apiKey.id))
    assert.ok(words.some((row) => row.key_id === wanted.apiKey.id))
  }
})
