/** `PATCH /auth/api-keys/:id`: a new name, and what a key may do from the next call on. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, listed, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { countMailsTo } from '../../support/mail/buttons.ts'
import { assertDocumented } from '../../support/documented.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const LINKS_ONLY = { scopes: ['payment_links:read', 'payment_links:write'] }
const KEYS_ONLY = { scopes: ['keys:read', 'keys:write'] }
let service: Service
let owner: string

before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

const route = (key: { apiKey: { id: string } }) => `PATCH /auth/api-keys/${key.apiKey.id}`
const canListKeys = async (token: string) => {
  const answer = await service.call('GET /auth/api-keys', { token })
  if (answer.status === 200) return true
  assertError(answer, 'INSUFFICIENT_SCOPE')
  return false
}
const events = async () => {
  const { id } = await userOf(service.db, 'ana@example.com')
  const rows = await service.db.query.selectFrom('security_events').selectAll().where('user_id', '=', id).execute()
  return rows.filter(({ type }) => type === 'key_restricted')
}

describe('a person', () => {
  test('renames a key: nothing else of it changes, and null is the default name', async () => {
    const key = await createKey(service, owner, { name: 'Before', restrictions: LINKS_ONLY })
    const answer = await service.call(route(key), { token: owner, body: { name: 'After' } })
    assertDocumented(route(key), answer)
    assertUncacheable(answer)
    assert.deepEqual(answer.body.apiKey, { ...(await listed(service, owner, key.apiKey.id)), name: 'After' })
    assert.deepEqual(answer.body.apiKey.restrictions, LINKS_ONLY)
    assert.equal((await updateKey(service, owner, key, { name: null })).name, 'API key')
  })

  test('restricts a key, replaces all its restrictions, and removes them', async () => {
    const key = await createKey(service, owner)
    const restrictions = {
      ...LINKS_ONLY,
      networks: ['192.0.2.0/24'],
      currencies: ['EUR'],
      maxAmount: { EUR: 100 },
      dailyAmount: { EUR: 5000 },
    }
    const restricted = await updateKey(service, owner, key, { restrictions })
    assert.deepEqual(restricted.restrictions, restrictions)
    assert.equal('effectiveRestrictions' in restricted, false)
    assert.deepEqual(await listed(service, owner, key.apiKey.id), restricted)
    assert.deepEqual((await updateKey(service, owner, key, { restrictions: KEYS_ONLY })).restrictions, KEYS_ONLY)
    const removed = await updateKey(service, owner, key, { restrictions: null })
    assert.equal('restrictions' in removed, false)
    assert.equal(await canListKeys(await tokenOf(service, key)), true)
  })

  test('changes nothing with an empty body, and records no event for unchanged restrictions', async () => {
    const key = await createKey(service, owner, { restrictions: LINKS_ONLY })
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    await updateKey(service, owner, key, {})
    await updateKey(service, owner, key, { restrictions: { scopes: LINKS_ONLY.scopes.toReversed() } })
    assert.equal((await service.call(route(key), { token: owner })).status, 200)
    assert.deepEqual(await databaseContent(service.db), stored)
  })

  test('gets an event for each change, which names no restriction and tells whether the key may do more', async () => {
    const key = await createKey(service, owner)
    const known = (await events()).length
    await updateKey(service, owner, key, { restrictions: LINKS_ONLY })
    await updateKey(service, owner, key, { restrictions: null })
    const recorded = (await events()).slice(known)
    assert.deepEqual(
      recorded.map(({ api_key_id: id, by_api_key_id: by, client, detail }) => [id, by, client, detail]),
      [null, 'widened'].map((detail) => [key.apiKey.id, null, '127.0.0.1', detail]),
    )
  })

  test('cannot be made blind by a loop: what narrows a key for an hour is one event, and what allows more is one each', async () => {
    const [key, other] = [await createKey(service, owner), await createKey(service, owner)]
    const known = (await events()).length
    for (let n = 30; n > 0; n -= 1) await updateKey(service, owner, key, { restrictions: { dailyAmount: { EUR: n } } })
    await updateKey(service, owner, other, { restrictions: LINKS_ONLY })
    for (const EUR of [2, 3]) await updateKey(service, owner, key, { restrictions: { dailyAmount: { EUR } } })
    const recorded = (await events()).slice(known)
    assert.deepEqual(
      recorded.map(({ api_key_id: id, detail, times }) => [id, detail, times]),
      [
        [key.apiKey.id, null, 30],
        [other.apiKey.id, null, 1],
        [key.apiKey.id, 'widened', 1],
        [key.apiKey.id, 'widened', 1],
      ],
    )
  })

  test('gets a mail for each change that allows something new, and none for a narrower key', async () => {
    const email = 'dan@example.com'
    const token = await service.signIn(email)
    const key = await createKey(service, token, { name: 'Agent' })
    await recipientsOf(service)
    let sent = await countMailsTo(service, email)
    const changes: [restrictions: object | null, isWider: boolean][] = [
      [{ scopes: ['keys:read', 'events:read'], dailyAmount: { EUR: 500 } }, false],
      [{ scopes: ['keys:read'], dailyAmount: { EUR: 500 } }, false],
      [{ scopes: ['keys:read'], dailyAmount: { EUR: 501 } }, true],
      [{ scopes: ['events:read'], dailyAmount: { EUR: 501 } }, true],
      [{ scopes: ['events:read'], maxAmount: { EUR: 5 } }, true],
      [{ networks: ['192.0.2.0/24'] }, true],
      [{ networks: ['192.0.2.0/25', '192.0.2.128/26'] }, false],
      [{ networks: ['192.0.2.0/23'] }, true],
      [null, true],
      [null, false],
    ]
    for (const [restrictions, isWider] of changes) {
      service.clock.advance(1000)
      await updateKey(service, token, key, { name: 'Agent', restrictions })
      await recipientsOf(service)
      const mails = await countMailsTo(service, email)
      assert.equal(mails - sent, isWider ? 1 : 0, JSON.stringify(restrictions))
      sent = mails
    }
    await updateKey(service, token, key, { name: 'Renamed' })
    await recipientsOf(service)
    assert.equal(await countMailsTo(service, email), sent)
  })

  test('gets an error that names the invalid field, and nothing changes', async () => {
    const key = await createKey(service, owner)
    const wrong: [body: object, message: RegExp][] = [
      [{ restrictions: { scopes: [] } }, /`restrictions.scopes` must be a list of 1 to 7 items/],
      [{ restrictions: { scopes: ['everything'] } }, /restrictions\.scopes/],
      [{ restrictions: { networks: ['192.0.2.1'] } }, /`restrictions.networks\[0\]` must be a network in CIDR/],
      [{ restrictions: { networks: ['10.0.0.0/8', '192.0.2.0/33'] } }, /networks\[1\]/],
      [{ restrictions: { networks: Array.from({ length: 21 }, (_, n) => `10.0.${n}.0/24`) } }, /networks/],
      [{ restrictions: { currencies: ['USD'] } }, /currencies/],
      [{ restrictions: { maxAmount: { EUR: 0 } } }, /EUR/],
      [{ restrictions: { dailyAmount: { EUR: 1.5 } } }, /EUR/],
      [{ restrictions: { dailyAmount: { USD: 1 } } }, /USD/],
      [{ restrictions: { everything: true } }, /everything/],
      [{ name: '' }, /name/],
      [{ status: 'REVOKED' }, /status/],
    ]
    await assertNothingHappens(service, async () => {
      for (const [body, message] of wrong)
        assertError(await service.call(route(key), { token: owner, body }), 'VALIDATION_FAILED', message)
    })
  })

  test('cannot change a key of another account, which is answered like a missing one', async () => {
    const foreign = await createKey(service, await service.signIn('bob@example.com'))
    await assertNothingHappens(service, async () => {
      for (const key of [foreign, { apiKey: { id: 'missing' } }])
        assertError(await service.call(route(key), { token: owner, body: { name: 'Mine' } }), 'NOT_FOUND')
    })
  })
})

describe('a token that a key got before', () => {
  test('obeys new restrictions on the next call, and works again on the next call after they are removed', async () => {
    const key = await createKey(service, owner)
    const token = await tokenOf(service, key)
    for (const restrictions of [LINKS_ONLY, null, LINKS_ONLY, KEYS_ONLY]) {
      await updateKey(service, owner, key, { restrictions })
      assert.equal(await canListKeys(token), restrictions !== LINKS_ONLY)
    }
    await updateKey(service, owner, key, { restrictions: { networks: ['192.0.2.0/24'] } })
    assertError(await service.call('GET /auth/api-keys', { token }), 'UNAUTHORIZED')
  })
})

describe('a key’s token', () => {
  test('narrows its own key and those created with it, and never widens one', async () => {
    const parent = await createKey(service, owner)
    const token = await tokenOf(service, parent)
    const child = await createKey(service, token)
    assert.deepEqual((await updateKey(service, token, child, { restrictions: LINKS_ONLY })).restrictions, LINKS_ONLY)
    const wider = [null, KEYS_ONLY, { scopes: [...LINKS_ONLY.scopes, 'account:read'] }, { currencies: ['EUR'] }]
    await assertNothingHappens(service, async () => {
      for (const restrictions of wider) {
        const answer = await service.call(route(child), { token, body: { name: 'Wider', restrictions } })
        assertDocumented(route(child), answer)
        assertError(answer, 'SIGN_IN_REQUIRED', /can only narrow/)
      }
    })
    await updateKey(service, token, child, { restrictions: { ...LINKS_ONLY, currencies: ['EUR'] } })
    const itself = await updateKey(service, token, parent, { name: 'Itself', restrictions: KEYS_ONLY })
    assert.deepEqual([itself.name, itself.restrictions], ['Itself', KEYS_ONLY])
    assertError(
      await service.call(route(parent), { token, body: { restrictions: null } }),
      'SIGN_IN_REQUIRED',
      /can only narrow/,
    )
  })

  test('cannot change another key, by name or by restrictions', async () => {
    const [one, other] = [await createKey(service, owner), await createKey(service, owner)]
    const token = await tokenOf(service, one)
    const childOfOther = await createKey(service, await tokenOf(service, other))
    await assertNothingHappens(service, async () => {
      for (const key of [other, childOfOther])
        for (const body of [{ name: 'Mine' }, { restrictions: LINKS_ONLY }])
          assertError(await service.call(route(key), { token, body }), 'SIGN_IN_REQUIRED')
    })
  })

  test('records an event that names the calling key', async () => {
    const parent = await createKey(service, owner)
    const token = await tokenOf(service, parent)
    const child = await createKey(service, token)
    await updateKey(service, token, child, { restrictions: LINKS_ONLY })
    const event = (await events()).at(-1)
    assert.deepEqual([event?.api_key_id, event?.by_api_key_id], [child.apiKey.id, parent.apiKey.id])
  })

  test('of an unclaimed account changes any key of it, and narrows only; a restricted one changes only its own', async () => {
    const stranger = await service.signUp('cia@example.com')
    const other = await createKey(service, stranger.token)
    const restricted = await createKey(service, stranger.token, { restrictions: { scopes: ['keys:write'] } })
    const token = await tokenOf(service, restricted)
    for (const key of [stranger, other])
      assertError(await service.call(route(key), { token, body: { name: 'Mine' } }), 'SIGN_IN_REQUIRED')
    await updateKey(service, token, restricted, { name: 'Mine' })
    await updateKey(service, await tokenOf(service, other), stranger, { restrictions: { currencies: ['EUR'] } })
    const widen = { token: await tokenOf(service, other), body: { restrictions: null } }
    assertError(await service.call(route(stranger), widen), 'SIGN_IN_REQUIRED')
  })
})
