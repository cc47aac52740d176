import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findAccountsToErase } from '../../src/database/erase-rows.ts'
import { findAccountChanges, recordAccountChange } from '../../src/domain/users/account-change-store.ts'
import { findLiveSignIns } from '../../src/domain/sign-in/sign-in-store.ts'
import { makeSafe } from '../../src/restore/make-safe.ts'
import type { Database } from '../../src/database/database.ts'
import type { Tables } from '../../src/database/tables/tables.ts'
import { keyRow, signInRow, userRow } from '../support/accounts/rows.ts'
import { openNewDatabase } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'

const NOW_MS = 1_800_000_000_000
const TOKEN_VERSION_INCREMENT = 1_000_000
const DAY_MS = 24 * 3600 * 1000

let restored: OpenedDatabase
let replaced: OpenedDatabase
before(async () => {
  restored = await openNewDatabase()
  replaced = await openNewDatabase()
})
after(async () => {
  await restored?.close()
  await replaced?.close()
})
/** Of a deleted account: its tombstone, and what services behind are told about it. */
const LEFT: ReadonlySet<string> = new Set(['users', 'spent_credentials', 'account_changes', 'account_change_counter'])
const tables = [
  'magic_links',
  'mail_buttons',
  'queued_mails',
  'mail_pauses',
  'spent_credentials',
  'security_events',
  'sign_ins',
  'key_makers',
  'identities',
  'payment_links',
  'idempotency_keys',
  'api_keys',
  'revoked_keys',
  'address_changes',
  'users',
  'spelled_mailboxes',
  'account_changes',
  'account_change_counter',
] as const satisfies (keyof Tables)[]
beforeEach(async () => {
  for (const { db } of [restored, replaced]) for (const table of tables) await db.query.deleteFrom(table).execute()
})

const identity = (subject: string, userId: string): Tables['identities'] => ({
  issuer: 'https://google',
  subject,
  user_id: userId,
  email: 'a@gmail.com',
  connected_at_ms: 1,
  sign_in_id: 's',
})
const link = (id: string, more: Partial<Tables['payment_links']> = {}): Tables['payment_links'] => ({
  id,
  user_id: 'ana',
  api_key_id: null,
  title: id,
  reference: null,
  amount: 1,
  currency: 'RON',
  created_at_ms: 1,
  expires_at_ms: null,
  deactivated_at_ms: null,
  claimed_at_ms: 1,
  ...more,
})
const fill = async (db: Database, rows: Partial<{ [T in keyof Tables]: Tables[T][] }>) => {
  for (const [table, some] of Object.entries(rows))
    await db.query
      .insertInto(table as 'users')
      .values(some as never)
      .execute()
}
const run = (options: { isTrusting?: boolean; without?: boolean } = {}) =>
  restored.db.transaction((trx) =>
    makeSafe(trx, options.without ? undefined : replaced.db, {
      nowMs: NOW_MS,
      isTrusting: options.isTrusting ?? false,
      paymentLinkRetentionMs: 400 * DAY_MS,
      onRows: () => {},
    }),
  )
const userNow = (id: string) =>
  restored.db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const keyNow = (id: string) =>
  restored.db.query.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const changes = async () => {
  const found = await restored.db.query.selectFrom('account_changes').selectAll().orderBy('position').execute()
  return found.map(({ user_id, kind, at_ms }) => [user_id, kind, at_ms])
}
const idsOf = async (table: 'payment_links' | 'key_makers' | 'security_events') =>
  (
    await restored.db.query
      .selectFrom(table as 'key_makers')
      .select('id')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

test('every token is revoked: its version grows by a million over the higher of both databases', async () => {
  await fill(restored.db, { users: [userRow('ana'), userRow('bob', { token_version: 9 }), userRow('new')] })
  await fill(replaced.db, { users: [userRow('ana', { token_version: 5 }), userRow('bob')] })
  assert.equal((await run()).users, 3)
  const versions = await Promise.all(['ana', 'bob', 'new'].map(async (id) => (await userNow(id)).token_version))
  assert.deepEqual(
    versions,
    [5, 9, 1].map((version) => version + TOKEN_VERSION_INCREMENT),
  )
})

test('no sign-in is live after a restore, whether it has ended since the backup or not, with or without the replaced database', async () => {
  const ended = signInRow('ended')
  for (const which of [{}, { without: true }, { isTrusting: true }]) {
    for (const { db } of [restored, replaced]) for (const table of tables) await db.query.deleteFrom(table).execute()
    await fill(restored.db, { users: [userRow('ana')], sign_ins: [ended, signInRow('live')] })
    await fill(replaced.db, { users: [userRow('ana')], sign_ins: [{ ...ended, ended_at_ms: 2 }, signInRow('live')] })
    const find = async () =>
      findLiveSignIns(restored.db, { user: await userNow('ana'), nowMs: NOW_MS, idleSinceMs: -1 })
    assert.equal((await find()).length, 2)
    await run(which)
    assert.deepEqual(await find(), [])
  }
})

test('links and buttons in mailboxes and queued mails are void; earlier credentials count as spent', async () => {
  const button = {
    mail_kind: 'sign_in',
    mailed_at_ms: 1,
    expires_at_ms: NOW_MS * 2,
    link_hash: null,
    sign_in_id: null,
    tells_since_ms: null,
    used_at_ms: null,
  } as const
  const mail = {
    redirect_to: null,
    locale: 'en',
    attempts: 0,
    due_at_ms: 1,
    leased_until_ms: null,
    created_at_ms: 1,
    tells_since_ms: null,
    mailbox: null,
    network: null,
    turn_rank: 0,
    turn_at_ms: null,
    held_until_ms: null,
    browser: null,
    asked_at_ms: 1,
    asked_by_several: 0,
  }
  await fill(restored.db, {
    users: [userRow('ana')],
    magic_links: [{ token_hash: 'l', email: 'ana@example.com', redirect_to: null, expires_at_ms: NOW_MS * 2 }],
    mail_buttons: [{ token_hash: 'b', action: 'not_me', email: 'ana@example.com', ...button }],
    queued_mails: [{ id: 'q', kind: 'sign_in', email: 'ana@example.com', ...mail }],
    spent_credentials: [{ hash: 'spent', expires_at_ms: NOW_MS * 2 }],
  })
  // A second run, as after two restores: the later time counts.
  for (let times = 0; times < 2; times++) await run()
  for (const table of ['magic_links', 'mail_buttons', 'queued_mails'] as const) {
    assert.deepEqual(await restored.db.query.selectFrom(table).selectAll().execute(), [], table)
  }
  const spent = await restored.db.query.selectFrom('spent_credentials').selectAll().orderBy('hash').execute()
  assert.deepEqual(
    spent.map((row) => Object.assign({}, row)),
    [
      { hash: 'issued-before-the-restore', expires_at_ms: NOW_MS + 10_000 },
      { hash: 'spent', expires_at_ms: NOW_MS * 2 },
    ],
  )
})

describe('with a replaced database', () => {
  test('a reader of changes that was ahead misses none of those after the restore', async () => {
    const readMs = NOW_MS + 3600_000
    await replaced.db.transaction((trx) => recordAccountChange(trx, 'earlier', 'deleted', readMs))
    await fill(restored.db, { users: [userRow('ana')] })
    await run()
    await restored.db.transaction((trx) => recordAccountChange(trx, 'ana', 'disabled', NOW_MS))
    const found = await findAccountChanges(restored.db, readMs, 10)
    assert.deepEqual(
      found.map(({ user_id, kind }) => [user_id, kind]),
      [['ana', 'disabled']],
    )
  })

  test('an account deleted there is deleted here, except for its tombstone', async () => {
    const event = {
      id: 'e',
      user_id: 'ana',
      type: 'signed_in',
      at_ms: 1,
      client: null,
      api_key_id: null,
      by_api_key_id: null,
      sign_in_id: null,
      by_sign_in_id: null,
      detail: null,
      times: 1,
      browser: null,
    }
    const maker = {
      id: 'm',
      user_id: 'ana',
      key_id: 'k',
      how: 'created',
      maker_key_id: null,
      sign_in_id: null,
      at_ms: 1,
      last_at_ms: null,
    } as const
    await fill(restored.db, {
      users: [userRow('ana')],
      api_keys: [keyRow('k')],
      identities: [identity('1', 'ana')],
      payment_links: [link('p')],
      security_events: [event],
      sign_ins: [signInRow('s')],
      key_makers: [maker],
      idempotency_keys: [{ user_id: 'ana', key_hash: 'h', request_hash: 'r', answer: 'a', created_at_ms: 1 }],
      mail_pauses: [{ email: 'ana@example.com', paused_at_ms: 1, mailed_at_ms: null }],
      spelled_mailboxes: [{ email: 'ana@example.com', mailbox: 'mailbox@example.com' }],
    })
    await fill(replaced.db, {
      users: [userRow('ana', { email: 'ana', name: null, deleted_at_ms: 7, token_version: 2 })],
    })
    assert.equal((await run()).usersDeleted, 1)
    for (const table of tables.filter((name) => !LEFT.has(name))) {
      assert.deepEqual(await restored.db.query.selectFrom(table).selectAll().execute(), [], table)
    }
    assert.deepEqual(await changes(), [['ana', 'deleted', NOW_MS]])
    const { token_version: version, ...left } = await userNow('ana')
    assert.ok(version > TOKEN_VERSION_INCREMENT)
    assert.deepEqual(
      { ...left },
      {
        id: 'ana',
        email: 'ana',
        role: 'USER',
        name: null,
        claimed_at_ms: null,
        created_at_ms: 1,
        locale: null,
        deleted_at_ms: 7,
        disabled_at_ms: null,
        payment_link_count: null,
      },
    )
  })

  test('a disabled account stays disabled and a claimed one claimed: the name and the stored answers from before the claim are deleted', async () => {
    const unclaimed = userRow('ana', { claimed_at_ms: null, name: 'A stranger' })
    const answer = { key_hash: 'h', request_hash: 'r', answer: 'a', created_at_ms: 1 }
    await fill(restored.db, {
      users: [unclaimed, userRow('bob')],
      idempotency_keys: [
        { user_id: 'ana', ...answer },
        { user_id: 'bob', ...answer },
      ],
    })
    await fill(replaced.db, {
      users: [userRow('ana', { claimed_at_ms: 5, name: null }), userRow('bob', { disabled_at_ms: 6, name: 'Bobby' })],
    })
    assert.equal((await run()).usersDisabled, 1)
    const [ana, bob] = [await userNow('ana'), await userNow('bob')]
    assert.deepEqual([ana.claimed_at_ms, ana.name, ana.disabled_at_ms], [5, null, null])
    assert.deepEqual([bob.claimed_at_ms, bob.name, bob.disabled_at_ms], [1, 'bob', 6])
    assert.deepEqual(await changes(), [['bob', 'disabled', NOW_MS]])
    const kept = await restored.db.query.selectFrom('idempotency_keys').select('user_id').execute()
    assert.deepEqual(
      kept.map((row) => row.user_id),
      ['bob'],
    )
  })

  test('revoked, waiting and rotated keys are taken over; stricter states of the backup stay', async () => {
    const ids = ['revoked', 'waits', 'rotated', 'newer', 'same']
    const rotated = { rotated_at_ms: 8, secret_hash: 'new', previous_secret_hash: 'old', previous_secret_until_ms: 9 }
    await fill(restored.db, {
      users: [userRow('ana')],
      api_keys: ids.map((id) =>
        keyRow(id, id === 'newer' ? { ...rotated, revoked_at_ms: 3, awaits_owner_at_ms: 4 } : {}),
      ),
    })
    await fill(replaced.db, {
      users: [userRow('ana')],
      api_keys: [
        keyRow('revoked', { revoked_at_ms: 5 }),
        keyRow('waits', { awaits_owner_at_ms: 6 }),
        keyRow('rotated', rotated),
        keyRow('newer', { rotated_at_ms: 7, secret_hash: 'oldest' }),
        keyRow('same'),
      ],
      key_makers: [
        {
          id: 'm',
          user_id: 'ana',
          key_id: 'same',
          how: 'rotated',
          maker_key_id: 'rotated',
          sign_in_id: null,
          at_ms: 1,
          last_at_ms: null,
        },
      ],
    })
    const { keysRevoked, keysWaiting } = await run()
    assert.deepEqual([keysRevoked, keysWaiting], [1, 0])
    const expected = {
      revoked: { revoked_at_ms: 5 },
      waits: { awaits_owner_at_ms: 6 },
      rotated,
      same: {},
      newer: { ...rotated, revoked_at_ms: 3, awaits_owner_at_ms: 4 },
    }
    for (const [id, change] of Object.entries(expected)) assert.deepEqual({ ...(await keyNow(id)) }, keyRow(id, change))
    assert.deepEqual(await idsOf('key_makers'), ['m'])
  })

  test('a key narrowed there is narrowed here, and one widened there is not', async () => {
    const to = (...scopes: string[]) => {
      const restrictions = scopes.length === 0 ? null : JSON.stringify({ scopes })
      return { restrictions, effective_restrictions: restrictions }
    }
    const [read, both] = [to('payment_links:read'), to('payment_links:read', 'payment_links:write')]
    const [backup, present] = [
      { narrowed: both, restricted: to(), widened: read, freed: read, same: both },
      { narrowed: read, restricted: read, widened: both, freed: to(), same: both },
    ]
    const keysOf = (states: typeof backup) => Object.entries(states).map(([id, change]) => keyRow(id, change))
    await fill(restored.db, { users: [userRow('ana')], api_keys: keysOf(backup) })
    await fill(replaced.db, { users: [userRow('ana')], api_keys: keysOf(present) })
    await run()
    const expected = { narrowed: read, restricted: read, widened: read, freed: read, same: both }
    for (const [id, change] of Object.entries(expected)) assert.deepEqual({ ...(await keyNow(id)) }, keyRow(id, change))
  })

  test('payment links from before a claim known only there do not count for the owner; other counts stay', async () => {
    await fill(restored.db, {
      users: [
        userRow('ana', { claimed_at_ms: null, payment_link_count: 9 }),
        userRow('bob', { payment_link_count: 9 }),
        userRow('cia'),
      ],
    })
    await fill(replaced.db, {
      users: [userRow('ana', { claimed_at_ms: 5 }), userRow('bob', { payment_link_count: 12 }), userRow('cia')],
    })
    await run()
    const counts = await Promise.all(['ana', 'bob', 'cia'].map(async (id) => (await userNow(id)).payment_link_count))
    assert.deepEqual(counts, [0, 9, null])
  })

  test('keys unknown there await their owners: that database may be a new, empty one', async () => {
    await fill(restored.db, {
      users: [userRow('ana')],
      api_keys: [keyRow('live'), keyRow('expired', { expires_at_ms: 1 }), keyRow('revoked', { revoked_at_ms: 2 })],
      identities: [identity('1', 'ana')],
    })
    const { keysWaiting, identitiesRemoved } = await run()
    assert.deepEqual([keysWaiting, identitiesRemoved], [1, 1])
    assert.equal((await keyNow('live')).awaits_owner_at_ms, NOW_MS)
    for (const id of ['expired', 'revoked']) assert.equal((await keyNow(id)).awaits_owner_at_ms, null)
  })

  test('a key that ended and was deleted there does not come back, even if keys are trusted', async () => {
    const gone = {
      id: 'm',
      user_id: 'ana',
      key_id: 'ana',
      how: 'created',
      maker_key_id: null,
      sign_in_id: 's',
      at_ms: 1,
      last_at_ms: 7,
    } as const
    await fill(restored.db, {
      users: [userRow('ana'), userRow('bob')],
      api_keys: [keyRow('went'), keyRow('bobs', { user_id: 'bob' })],
      key_makers: [{ ...gone, last_at_ms: 2 }],
    })
    await fill(replaced.db, { users: [userRow('ana'), userRow('bob')], key_makers: [gone] })
    assert.equal((await run({ isTrusting: true })).keysWaiting, 1)
    assert.equal((await keyNow('went')).awaits_owner_at_ms, NOW_MS)
    assert.equal((await keyNow('bobs')).awaits_owner_at_ms, null)
    assert.deepEqual(await restored.db.query.selectFrom('key_makers').selectAll().execute(), [gone])
  })

  test('an app unknown there ends with the tokens, and is no key that an owner is told to keep', async () => {
    const app = {
      kind: 'app',
      key_id: 'app_x',
      client_id: 'https://assistant.example/client.json',
      token_version: 0,
    } as const
    await fill(restored.db, { users: [userRow('ana')], api_keys: [keyRow('live'), keyRow('app', app)] })
    await fill(replaced.db, { users: [userRow('ana')] })
    assert.equal((await run()).keysWaiting, 1)
    assert.equal((await keyNow('app')).awaits_owner_at_ms, NOW_MS)
    assert.equal((await keyNow('app')).token_version, 0)
    assert.equal((await userNow('ana')).token_version, TOKEN_VERSION_INCREMENT + 1)
  })

  test('a key that was revoked and swept there is revoked here, even if keys are trusted, and after a further restore', async () => {
    const tombstone = { id: 'went', revoked_at_ms: 3 }
    const unrelated = { id: 'older', revoked_at_ms: 2 }
    await fill(restored.db, {
      users: [userRow('ana')],
      api_keys: [keyRow('went'), keyRow('expired', { expires_at_ms: 2 }), keyRow('live')],
    })
    await fill(replaced.db, {
      users: [userRow('ana')],
      api_keys: [keyRow('live')],
      revoked_keys: [tombstone, unrelated, { id: 'expired', revoked_at_ms: 2 }],
    })
    const done = await run({ isTrusting: true })
    assert.deepEqual([done.keysRevoked, done.keysWaiting], [1, 0])
    assert.equal((await keyNow('went')).revoked_at_ms, 3)
    for (const id of ['live', 'expired']) assert.equal((await keyNow(id)).revoked_at_ms, null)
    const kept = await restored.db.query.selectFrom('revoked_keys').selectAll().orderBy('id').execute()
    assert.deepEqual(kept, [{ id: 'expired', revoked_at_ms: 2 }, unrelated, tombstone])
  })

  test('a payment link so old that it may have ended and been swept there is deactivated; a newer one, and one of an account unknown there, stay', async () => {
    const old = { created_at_ms: NOW_MS - 400 * DAY_MS - 1 }
    await fill(restored.db, {
      users: [userRow('ana'), userRow('bob')],
      payment_links: [
        link('swept', old),
        link('there', old),
        link('newer', { created_at_ms: NOW_MS - 400 * DAY_MS }),
        link('bobs', { ...old, user_id: 'bob' }),
      ],
    })
    await fill(replaced.db, { users: [userRow('ana')], payment_links: [link('there', old)] })
    assert.equal((await run()).paymentLinksDeactivated, 1)
    const links = await restored.db.query.selectFrom('payment_links').selectAll().execute()
    assert.deepEqual(
      links.filter((row) => row.deactivated_at_ms !== null).map(({ id }) => id),
      ['swept'],
    )
  })

  test('a kept decision withdrawn there is withdrawn here; others stay', async () => {
    const kept = (id: string, userId = 'ana') =>
      ({
        id: `${id} kept`,
        user_id: userId,
        key_id: id,
        how: 'kept',
        maker_key_id: null,
        sign_in_id: 's',
        at_ms: 1,
        last_at_ms: 1,
      }) as const
    const revoked = { revoked_at_ms: 2 }
    await fill(restored.db, {
      users: [userRow('ana'), userRow('bob'), userRow('cia')],
      api_keys: [
        keyRow('taken-back', revoked),
        keyRow('kept'),
        keyRow('before', { user_id: 'bob' }),
        keyRow('new', { user_id: 'cia' }),
      ],
      key_makers: [kept('taken-back'), kept('kept'), kept('before', 'bob'), kept('new', 'cia')],
    })
    // The older database has bob's account unclaimed, and no account of cia.
    const keys = [keyRow('taken-back', revoked), keyRow('kept'), keyRow('before', { user_id: 'bob' })]
    await fill(replaced.db, {
      users: [userRow('ana'), userRow('bob', { claimed_at_ms: null })],
      api_keys: keys,
      key_makers: [kept('kept')],
    })
    await run()
    assert.deepEqual(await idsOf('key_makers'), ['before kept', 'kept kept', 'new kept'])
  })

  test('the later time of a key’s last secret counts, whichever database is older', async () => {
    const maker = (id: string, lastAtMs: number | null) =>
      ({
        id,
        user_id: 'ana',
        key_id: 'k',
        how: 'rotated',
        maker_key_id: 'm',
        sign_in_id: null,
        at_ms: 1,
        last_at_ms: lastAtMs,
      }) as const
    const keys = { users: [userRow('ana')], api_keys: [keyRow('k')] }
    await fill(restored.db, { ...keys, key_makers: [maker('a', 9), maker('b', 9), maker('c', null), maker('d', 3)] })
    await fill(replaced.db, { ...keys, key_makers: [maker('a', 5), maker('b', null), maker('c', 5), maker('d', 5)] })
    await run()
    const makers = await restored.db.query.selectFrom('key_makers').select(['id', 'last_at_ms']).orderBy('id').execute()
    assert.deepEqual(
      makers.map((row) => [row.id, row.last_at_ms]),
      [
        ['a', 9],
        ['b', 9],
        ['c', 5],
        ['d', 5],
      ],
    )
  })

  test('a Google account disconnected or moved after the backup signs in to no account', async () => {
    await fill(restored.db, {
      users: [userRow('ana'), userRow('bob')],
      identities: [identity('gone', 'ana'), identity('moved', 'bob')],
    })
    await fill(replaced.db, { users: [userRow('ana'), userRow('bob')], identities: [identity('moved', 'ana')] })
    assert.equal((await run({ isTrusting: true })).identitiesRemoved, 2)
    assert.deepEqual(await restored.db.query.selectFrom('identities').selectAll().execute(), [])
  })

  test('a deactivated payment link stays deactivated, and a paused address stays paused', async () => {
    await fill(restored.db, {
      users: [userRow('ana')],
      payment_links: [link('ended'), link('open'), link('earlier', { deactivated_at_ms: 2 })],
      mail_pauses: [{ email: 'x@example.com', paused_at_ms: 1, mailed_at_ms: null }],
    })
    await fill(replaced.db, {
      users: [userRow('ana')],
      payment_links: [link('ended', { deactivated_at_ms: 9 }), link('open'), link('earlier')],
      mail_pauses: ['x', 'y'].map((name) => ({ email: `${name}@example.com`, paused_at_ms: 3, mailed_at_ms: 4 })),
    })
    assert.equal((await run()).paymentLinksDeactivated, 1)
    const links = await restored.db.query
      .selectFrom('payment_links')
      .select(['id', 'deactivated_at_ms'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      links.map((row) => [row.id, row.deactivated_at_ms]),
      [
        ['earlier', 2],
        ['ended', 9],
        ['open', null],
      ],
    )
    const pauses = await restored.db.query.selectFrom('mail_pauses').selectAll().orderBy('email').execute()
    assert.deepEqual(
      pauses.map((row) => [row.email, row.paused_at_ms]),
      [
        ['x@example.com', 1],
        ['y@example.com', 3],
      ],
    )
  })
})

describe('addresses that were changed', () => {
  const change = (id: string, more: Partial<Tables['address_changes']> = {}): Tables['address_changes'] => ({
    id,
    user_id: 'ana',
    old_email: 'ana@example.com',
    new_email: 'thief@example.com',
    sign_in_id: 's',
    token_version: 1,
    asked_at_ms: 1,
    expires_at_ms: 1,
    confirmed_at_ms: NOW_MS,
    undo_until_ms: NOW_MS + DAY_MS,
    ended_at_ms: null,
    deletion_asked_at_ms: null,
    identities: '[]',
    kept_until_ms: NOW_MS + DAY_MS,
    ...more,
  })
  const user = (id: string, email: string, version: number) => userRow(id, { email, token_version: version })
  const changesNow = () => restored.db.query.selectFrom('address_changes').selectAll().orderBy('id').execute()

  test('and changed back since the backup are not the thief’s again, and the undo of the thief stays void', async () => {
    await fill(restored.db, { users: [user('ana', 'thief@example.com', 2)], address_changes: [change('c')] })
    await fill(replaced.db, {
      users: [user('ana', 'ana@example.com', 3)],
      address_changes: [change('c', { ended_at_ms: NOW_MS })],
    })
    await run()
    assert.equal((await userNow('ana')).email, 'ana@example.com')
    assert.deepEqual(await changesNow(), [change('c', { ended_at_ms: NOW_MS })])
  })

  test('since the backup stay changed, and the old ones reserved', async () => {
    await fill(restored.db, {
      users: [user('ana', 'ana@example.com', 1)],
      address_changes: [change('c', { confirmed_at_ms: null, undo_until_ms: null })],
    })
    await fill(replaced.db, { users: [user('ana', 'new@example.com', 2)], address_changes: [change('c')] })
    await run()
    assert.equal((await userNow('ana')).email, 'new@example.com')
    assert.deepEqual(await changesNow(), [change('c')])
  })

  test('to those of other accounts meanwhile are changed in any order', async () => {
    await fill(restored.db, { users: [user('ana', 'b@example.com', 1), user('bob', 'c@example.com', 1)] })
    await fill(replaced.db, { users: [user('ana', 'c@example.com', 2), user('bob', 'd@example.com', 2)] })
    await run()
    assert.deepEqual([(await userNow('ana')).email, (await userNow('bob')).email], ['c@example.com', 'd@example.com'])
  })

  test('stay those of the backup where it is the later one, and pending changes end', async () => {
    await fill(restored.db, {
      users: [user('ana', 'new@example.com', 2)],
      address_changes: [change('c'), change('d', { confirmed_at_ms: null, undo_until_ms: null })],
    })
    await fill(replaced.db, { users: [user('ana', 'ana@example.com', 1)] })
    await run()
    assert.equal((await userNow('ana')).email, 'new@example.com')
    assert.deepEqual(await changesNow(), [change('c')])
  })
})

test('a deleted account with remaining rows stays deleted and disabled: the service erases the rest', async () => {
  const gone = userRow('ana', { email: 'ana', name: null, claimed_at_ms: null, deleted_at_ms: 7, disabled_at_ms: 7 })
  for (const which of [{ without: true }, {}]) {
    await fill(restored.db, { users: [gone], api_keys: [keyRow('k')], payment_links: [link('p')] })
    if (!which.without) await fill(replaced.db, { users: [userRow('ana')] })
    await run(which)
    const { deleted_at_ms: deletedAtMs, disabled_at_ms: disabledAtMs } = await userNow('ana')
    assert.deepEqual([deletedAtMs, disabledAtMs], [7, 7])
    assert.deepEqual(await findAccountsToErase(restored.db, 10), ['ana'])
    for (const table of ['api_keys', 'payment_links', 'users'] as const)
      await restored.db.query.deleteFrom(table).execute()
  }
})

describe('without a readable replaced database', () => {
  const rows = () => ({ users: [userRow('ana')], api_keys: [keyRow('k')], identities: [identity('1', 'ana')] })

  test('live keys await their owners, and Google accounts must be connected again', async () => {
    await fill(restored.db, rows())
    const { keysWaiting, identitiesRemoved } = await run({ without: true })
    assert.deepEqual([keysWaiting, identitiesRemoved], [1, 1])
  })

  test('trusting the backup keeps keys and Google accounts, but no token', async () => {
    await fill(restored.db, rows())
    const { keysWaiting, identitiesRemoved } = await run({ without: true, isTrusting: true })
    assert.deepEqual([keysWaiting, identitiesRemoved], [0, 0])
    assert.deepEqual({ ...(await keyNow('k')) }, keyRow('k'))
    assert.equal((await userNow('ana')).token_version, 1 + TOKEN_VERSION_INCREMENT)
  })
})

test('no row is skipped when there are more than fit in memory at a time', async () => {
  const ids = Array.from({ length: 1203 }, (_, n) => `k${n}`)
  await fill(restored.db, { users: [userRow('ana')] })
  await fill(replaced.db, { users: [userRow('ana')] })
  for (let done = 0; done < ids.length; done += 400) {
    const some = ids.slice(done, done + 400)
    await fill(restored.db, { api_keys: some.map((id) => keyRow(id)) })
    await fill(replaced.db, { api_keys: some.map((id) => keyRow(id, { revoked_at_ms: 5 })) })
  }
  assert.equal((await run()).keysRevoked, ids.length)
})
