/** `POST /auth/email/undo`: the mailbox of the old address suffices to get the account back, for seven days. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { changeAddress, remailedUndo } from '../../support/accounts/address-changes.ts'
import { createKey, exchangesOf, keepKey, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { tick } from '../../support/clock.ts'
import { disable, enable } from '../../support/accounts/disabled.ts'
import {
  assertNothingHappens,
  databaseContent,
  recipientsOf,
  untilErased,
  userOf,
} from '../../support/database/state.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, connectedTo, disconnect, subjectsOf } from '../../support/google/identities.ts'
import { assertError } from '../../support/http/answers.ts'
import { buttonIn, eventsOf, press, pressNotMe, signInMail } from '../../support/mail/buttons.ts'
import { MAIL_WITHIN_MS } from '../../support/mail/smtp.ts'

const DAY_MS = 24 * 3600 * 1000
let service: GoogleService

before(async () => {
  service = await startGoogleService()
  // What an undo compares happens at different times.
  tick(service.clock)
})
after(() => service.close())

async function undo(token: string): Promise<void> {
  const answer = await press(service, 'undo-email', token)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, { ok: true })
}

const typesOf = async (email: string) => (await eventsOf(service, email)).map(({ type }) => type)

test('restores the address, ends every sign-in, and keys made since await the owner', async () => {
  const [email, thiefs] = ['ana@example.com', 'ana-thief@example.com']
  const owner = await service.signIn(email)
  const earlier = await createKey(service, owner)
  const { id } = await userOf(service.db, email)
  service.clock.advance(1000)
  const stolen = await service.signIn(email)
  const early = await createKey(service, stolen)
  const changed = await changeAddress(service, stolen, { from: email, to: thiefs })
  const since = await createKey(service, changed.token)
  const later = await createKey(service, await service.signIn(thiefs))
  const pending = await signInMail(service, thiefs)
  service.clock.advance(6 * DAY_MS)
  await undo(changed.undo)

  assert.equal((await userOf(service.db, email)).id, id)
  assert.deepEqual(await statesOf(service, [owner, stolen, changed.token]), Array(3).fill('UNAUTHORIZED'))
  assertError(await service.call(`GET /auth/verify?token=${pending.link}`), 'LINK_INVALID')
  assert.deepEqual(await exchangesOf(service, [earlier, early, since, later]), [
    'works',
    ...Array(3).fill('KEY_AWAITS_OWNER'),
  ])
  assert.equal((await typesOf(email)).at(-1), 'email_change_undone')
  const again = await service.signIn(email)
  assert.deepEqual(await statesOf(service, [again]), [email])
  await keepKey(service, again, since)
  assert.notEqual((await service.call('GET /users/me', { token: await service.signIn(thiefs) })).body.user.id, id)
})

test('a second call, also with another mail’s button, changes nothing', async () => {
  const email = 'bob@example.com'
  const changed = await changeAddress(service, await service.signIn(email), { from: email, to: 'bob-2@example.com' })
  const other = await remailedUndo(service, email)
  await undo(changed.undo)
  const again = await service.signIn(email)
  for (const token of [changed.undo, other]) await assertNothingHappens(service, () => undo(token))
  assert.deepEqual(await statesOf(service, [again]), [email])
  // The owner may change the address later: the old mail must not undo that.
  await changeAddress(service, again, { from: email, to: 'bob-3@example.com' })
  await assertNothingHappens(service, () => undo(changed.undo))
  assert.equal((await userOf(service.db, 'bob-3@example.com')).email, 'bob-3@example.com')
})

describe('works for seven days', () => {
  test('also from a mail that a link request got late', async () => {
    const email = 'cia@example.com'
    await changeAddress(service, await service.signIn(email), { from: email, to: 'cia-2@example.com' })
    service.clock.advance(7 * DAY_MS - 1000)
    await undo(await remailedUndo(service, email))
    assert.equal((await userOf(service.db, email)).email, email)
  })

  test('and no longer', async () => {
    const email = 'dan@example.com'
    const changed = await changeAddress(service, await service.signIn(email), { from: email, to: 'dan-2@example.com' })
    service.clock.advance(7 * DAY_MS)
    const late = () => press(service, 'undo-email', changed.undo)
    assertError(await assertNothingHappens(service, late), 'LINK_INVALID')
  })
})

test('refuses a token that is unknown, and that of another button', async () => {
  const { notMe } = await signInMail(service, 'eva@example.com')
  for (const token of ['x'.repeat(43), '', notMe]) {
    const answer = await assertNothingHappens(service, () => press(service, 'undo-email', token))
    assertError(answer, 'LINK_INVALID')
    assert.equal(answer.body.error.message, 'This link is unknown, used or expired.')
  }
})

describe('after several changes', () => {
  async function changeTwice(name: string) {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => `${name}-${letter}@example.com`) as [string, string, string]
    const first = await changeAddress(service, await service.signIn(a), { from: a, to: b })
    const second = await changeAddress(service, await service.signIn(b), { from: b, to: c })
    return { a, b, c, first, second }
  }

  test('the oldest undo restores the first address and voids the later undo', async () => {
    const { a, b, first, second } = await changeTwice('fay')
    await undo(first.undo)
    assertError(await press(service, 'undo-email', second.undo), 'LINK_INVALID')
    assert.equal((await userOf(service.db, a)).email, a)
    await service.signUp(b)
  })

  test('a later undo restores the address between, and leaves the oldest', async () => {
    const { a, b, c, first, second } = await changeTwice('gil')
    const { id } = await userOf(service.db, c)
    await undo(second.undo)
    assert.equal((await userOf(service.db, b)).id, id)
    await undo(first.undo)
    assert.equal((await userOf(service.db, a)).id, id)
  })

  test('after the owner returns to the first address, the holder of the second cannot undo that', async () => {
    const [a, b] = ['hal-a@example.com', 'hal-b@example.com']
    const first = await changeAddress(service, await service.signIn(a), { from: a, to: b })
    const second = await changeAddress(service, await service.signIn(b), { from: b, to: a })
    await undo(first.undo)
    assertError(await press(service, 'undo-email', second.undo), 'LINK_INVALID')
    assert.equal((await userOf(service.db, a)).email, a)
  })
})

test('an undo of a return to the first address leaves the first undo', async () => {
  const [a, b] = ['hel-a@example.com', 'hel-b@example.com']
  const first = await changeAddress(service, await service.signIn(a), { from: a, to: b })
  const second = await changeAddress(service, first.token, { from: b, to: a })
  const { id } = await userOf(service.db, a)
  await undo(second.undo)
  assert.equal((await userOf(service.db, b)).id, id)
  await undo(first.undo)
  assert.equal((await userOf(service.db, a)).id, id)
})

describe('the Google accounts of before', () => {
  test('are connected again, those connected since are not, and neither are the thief’s', async () => {
    const email = 'ida@example.com'
    await connect(service, await service.signIn(email), { sub: 'ida', email: 'ida@third.example' })
    service.clock.advance(8 * DAY_MS)
    const stolen = await service.signIn(email)
    const changed = await changeAddress(service, stolen, { from: email, to: 'ida-2@example.com' })
    await connect(service, changed.token, { sub: 'ida-thief', email: 'thief@third.example' })
    await undo(changed.undo)
    assert.deepEqual(await subjectsOf(service, email), ['ida'])
    const byGoogle = await oneTap(service, { sub: 'ida', email: 'ida@third.example' })
    assert.equal(byGoogle.body.user.email, email)
    assert.deepEqual((await typesOf(email)).slice(-4), [
      'google_disconnected',
      'google_connected',
      'email_change_undone',
      'signed_in',
    ])
  })

  test('that the sign-in behind the change had connected stay disconnected', async () => {
    const email = 'jan@example.com'
    const stolen = await service.signIn(email)
    await connect(service, stolen, { sub: 'jan-thief', email: 'jan-thief@third.example' })
    const changed = await changeAddress(service, stolen, { from: email, to: 'jan-2@example.com' })
    await undo(changed.undo)
    assert.deepEqual(await subjectsOf(service, email), [])
  })

  test('that prepared the change and were disconnected before it: keys made with them await the owner', async () => {
    const email = 'wim@example.com'
    const own = await createKey(service, await service.signIn(email))
    const claims = { sub: 'wim-thief', email: 'wim-thief@third.example' }
    await connect(service, await service.signIn(email), claims)
    const made = await createKey(service, (await oneTap(service, claims)).body.token)
    service.clock.advance(DAY_MS)
    const stolen = (await oneTap(service, claims)).body.token
    assert.equal((await disconnect(service, stolen)).status, 200)
    const changed = await changeAddress(service, stolen, { from: email, to: 'wim-2@example.com' })
    await undo(changed.undo)
    assert.deepEqual(await exchangesOf(service, [own, made]), ['works', 'KEY_AWAITS_OWNER'])
  })

  test('that belong to another account meanwhile stay there, and an event says so', async () => {
    const email = 'kai@example.com'
    await connect(service, await service.signIn(email), { sub: 'kai', email: 'kai@third.example' })
    service.clock.advance(8 * DAY_MS)
    const changed = await changeAddress(service, await service.signIn(email), { from: email, to: 'kai-2@example.com' })
    const other = await oneTap(service, { sub: 'kai', email: 'kai@third.example' })
    await undo(changed.undo)
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.equal(await connectedTo(service, other.body.token), 'kai@third.example')
    assert.deepEqual((await eventsOf(service, email)).at(-2), {
      type: 'google_not_restored',
      detail: 'kai@third.example',
      client: '127.0.0.1',
    })
  })
})

test('clears a display name that a key of the sign-in behind the change gave', async () => {
  const email = 'xia@example.com'
  const stolen = await service.signIn(email)
  const token = await tokenOf(service, await createKey(service, stolen))
  assert.equal((await service.call('PATCH /users/me', { token, body: { name: 'Thief' } })).status, 200)
  service.clock.advance(60_000)
  await undo((await changeAddress(service, stolen, { from: email, to: 'xia-2@example.com' })).undo)
  assert.equal((await userOf(service.db, email)).name, null)
})

describe('“this wasn’t me” undoes the change', () => {
  test('in the mail about it', async () => {
    const email = 'lea@example.com'
    const changed = await changeAddress(service, await service.signIn(email), { from: email, to: 'lea-2@example.com' })
    assert.equal((await press(service, 'not-me', changed.notMe)).status, 200)
    assert.equal((await userOf(service.db, email)).email, email)
    assert.deepEqual(await statesOf(service, [changed.token]), ['UNAUTHORIZED'])
  })

  test('in the mail whose link led to the sign-in that changed it', async () => {
    const email = 'max@example.com'
    const { link, notMe } = await signInMail(service, email)
    const stolen = (await service.call(`GET /auth/verify?token=${link}`)).body.token
    await changeAddress(service, stolen, { from: email, to: 'max-2@example.com' })
    assert.equal((await press(service, 'not-me', notMe)).status, 200)
    assert.equal((await userOf(service.db, email)).email, email)
  })

  test('but not in a mail to the new address about what came later: its holder may have lost the old mailbox', async () => {
    const [email, newEmail] = ['una@example.com', 'una-2@example.com']
    const { token, undo: undoToken } = await changeAddress(service, await service.signIn(email), {
      from: email,
      to: newEmail,
    })
    await connect(service, token, { sub: 'una', email: 'una@third.example' })
    const key = await createKey(service, token)
    for (const part of ['was connected', 'was created']) {
      const mail = await service.smtp.mailTo(newEmail, MAIL_WITHIN_MS, part)
      await recipientsOf(service)
      await pressNotMe(service, buttonIn(mail, 'not-me'))
    }
    assert.deepEqual(await exchangesOf(service, [key]), ['KEY_AWAITS_OWNER'])
    assert.deepEqual(await statesOf(service, [token, await service.signIn(newEmail)]), ['UNAUTHORIZED', newEmail])
    await undo(undoToken)
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
  })

  test('but of several, only those since the address of the mail was the account’s', async () => {
    const [first, second, third] = ['vic@example.com', 'vic-2@example.com', 'vic-3@example.com']
    const moved = await changeAddress(service, await service.signIn(first), { from: first, to: second })
    const taken = await changeAddress(service, moved.token, { from: second, to: third })
    await pressNotMe(service, taken.notMe)
    assert.deepEqual(await statesOf(service, [taken.token, await service.signIn(second)]), ['UNAUTHORIZED', second])
  })

  test('but not in a mail that anybody can cause', async () => {
    const email = 'nia@example.com'
    const stranger = await signInMail(service, email)
    await changeAddress(service, await service.signIn(email), { from: email, to: 'nia-2@example.com' })
    assert.equal((await press(service, 'not-me', stranger.notMe)).status, 200)
    assert.equal((await userOf(service.db, 'nia-2@example.com')).email, 'nia-2@example.com')
  })
})

describe('an account deleted since', () => {
  async function deleteChanged(name: string) {
    const [email, newEmail] = [`${name}@example.com`, `${name}-2@example.com`]
    const token = await service.signIn(email)
    const key = await createKey(service, token)
    const { id } = await userOf(service.db, email)
    service.clock.advance(1000)
    const changed = await changeAddress(service, await service.signIn(email), { from: email, to: newEmail })
    assert.equal((await service.call('DELETE /users/me', { token: changed.token })).status, 200)
    return { email, newEmail, key, id, changed }
  }
  const stateOf = async (id: string) => {
    const { disabled_at_ms, deleted_at_ms } = await service.db.query
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { isDisabled: disabled_at_ms !== null, isDeleted: deleted_at_ms !== null }
  }
  const lastChange = async (id: string) =>
    (await service.db.query.selectFrom('account_changes').selectAll().where('user_id', '=', id).executeTakeFirst())
      ?.kind

  test('works nowhere, and comes back by the undo', async () => {
    const { email, newEmail, key, id, changed } = await deleteChanged('ola')
    assert.deepEqual(await statesOf(service, [changed.token]), ['UNAUTHORIZED'])
    assert.deepEqual(await exchangesOf(service, [key]), ['INVALID_CREDENTIALS'])
    assert.equal(await lastChange(id), 'disabled')
    await service.call('POST /auth/request', { body: { email: newEmail } })
    assert.equal(
      (await service.smtp.mailTo(newEmail, undefined, 'erased on')).message.subject,
      'Your account is deleted',
    )
    await upkeep(service.deps)
    assert.deepEqual(await stateOf(id), { isDisabled: true, isDeleted: false })
    await undo(changed.undo)
    assert.deepEqual(await stateOf(id), { isDisabled: false, isDeleted: false })
    assert.equal(await lastChange(id), 'enabled')
    assert.deepEqual(await exchangesOf(service, [key]), ['works'])
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
    service.clock.advance(8 * DAY_MS)
    await upkeep(service.deps)
    assert.deepEqual(await stateOf(id), { isDisabled: false, isDeleted: false })
  })

  test('is erased when the undo has run out, with all of its changes, and both addresses are free', async () => {
    const { email, newEmail, id, changed } = await deleteChanged('pia')
    service.clock.advance(7 * DAY_MS)
    await upkeep(service.deps)
    await untilErased(service)
    assert.equal((await stateOf(id)).isDeleted, true)
    assert.equal(await lastChange(id), 'deleted')
    const { addressChanges } = await databaseContent(service.db)
    assert.deepEqual(
      addressChanges.filter((change) => change.user_id === id),
      [],
    )
    assertError(await press(service, 'undo-email', changed.undo), 'LINK_INVALID')
    await service.signUp(email)
    await service.signUp(newEmail)
  })

  test('stays disabled if the operator disabled it meanwhile', async () => {
    const { email, newEmail, id, changed } = await deleteChanged('rik')
    await disable(service, newEmail)
    await undo(changed.undo)
    assert.equal((await userOf(service.db, email)).id, id)
    assert.deepEqual(await stateOf(id), { isDisabled: true, isDeleted: false })
  })

  test('is not erased once the operator has enabled it', async () => {
    const { newEmail, id } = await deleteChanged('sam')
    await enable(service, newEmail)
    service.clock.advance(7 * DAY_MS)
    await upkeep(service.deps)
    assert.deepEqual(await stateOf(id), { isDisabled: false, isDeleted: false })
    assert.deepEqual(await statesOf(service, [await service.signIn(newEmail)]), [newEmail])
  })
})
