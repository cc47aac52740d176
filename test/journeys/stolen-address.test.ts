/** A thief with a stolen, fresh sign-in takes the account to another address; the old mailbox alone gets it back. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { upkeep } from '../../src/domain/upkeep.ts'
import { askForChange, changeAddress, confirmWith, remailedUndo } from '../support/accounts/address-changes.ts'
import { createKey, exchangesOf, rotateKey, statesOf, tokenOf } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { createLink } from '../support/accounts/payment-links.ts'
import { tick } from '../support/clock.ts'
import { recipientsOf, userOf } from '../support/database/state.ts'
import { oneTap, startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { connect, disconnect, subjectsOf } from '../support/google/identities.ts'
import { assertError } from '../support/http/answers.ts'
import { buttonIn, press, signInMail } from '../support/mail/buttons.ts'
import { MAIL_WITHIN_MS } from '../support/mail/smtp.ts'

const DAY_MS = 24 * 3600 * 1000
let service: GoogleService
before(async () => {
  service = await startGoogleService()
  tick(service.clock)
})
after(() => service.close())

type Theft = Readonly<{ from: string; to: string; tokens: string[]; keys: NewKey[]; buttons: Buttons }>

/** Tokens of the buttons in the owner's mailbox. */
type Buttons = Readonly<{ signIn: string; asked: string; changed: string; undo: string }>

/** Everything that the thief's sign-in can do before and after the change. */
const misdeeds: Readonly<Record<string, (theft: Theft) => Promise<void>>> = {
  'makes payment links, exports the data and signs everybody out': async ({ tokens }) => {
    const token = tokens.at(-1) ?? ''
    await createLink(service, token)
    assert.equal((await service.call('GET /users/me/export', { token })).status, 200)
    assert.equal((await service.call('POST /auth/tokens/revoke', { token })).status, 200)
  },
  'creates and rotates keys, and signs in with the new mailbox': async ({ to, tokens, keys }) => {
    const token = tokens.at(-1) ?? ''
    keys.push(await createKey(service, token))
    keys.push(await rotateKey(service, token, keys[0] ?? assert.fail()))
    const ofKey = await tokenOf(service, keys.at(-1) ?? assert.fail())
    keys.push(await createKey(service, ofKey))
    tokens.push(ofKey, await service.signIn(to))
    keys.push(await createKey(service, tokens.at(-1) ?? ''))
  },
  'connects Google': async ({ to, tokens }) => {
    assert.equal((await connect(service, tokens.at(-1) ?? '', { sub: to, email: to })).status, 200)
    tokens.push((await oneTap(service, { sub: to, email: to })).body.token)
  },
  'changes the address again': async ({ to, tokens }) => {
    tokens.push((await changeAddress(service, tokens.at(-1) ?? '', { from: to, to: `again-${to}` })).token)
  },
  'leaves a change to confirm': async ({ to, tokens }) => {
    await askForChange(service, tokens.at(-1) ?? '', `pending-${to}`)
  },
  'deletes the account': async ({ tokens }) => {
    assert.equal((await service.call('DELETE /users/me', { token: tokens.at(-1) ?? '' })).status, 200)
  },
}

/** The owner's ways back, from the mails in the old mailbox. */
const ways: Readonly<Record<string, (theft: Theft) => Promise<unknown>>> = {
  'the undo': ({ buttons }) => press(service, 'undo-email', buttons.undo),
  '“this wasn’t me” in the mail about the change': ({ buttons }) => press(service, 'not-me', buttons.changed),
  '“this wasn’t me” in the notice before it': ({ buttons }) => press(service, 'not-me', buttons.asked),
  '“this wasn’t me” in the mail of the stolen sign-in': ({ buttons }) => press(service, 'not-me', buttons.signIn),
  'a link request six days later': async ({ from }) => {
    service.clock.advance(6 * DAY_MS)
    await upkeep(service.deps)
    return press(service, 'undo-email', await remailedUndo(service, from))
  },
}

async function steal(name: string): Promise<Theft & { own: NewKey; id: string }> {
  const [from, to] = [`${name}@example.com`, `${name}-thief@example.com`]
  const first = (await oneTap(service, { sub: name, email: from, hd: 'example.com' })).body.token
  const own = await createKey(service, first)
  const { id } = await userOf(service.db, from)
  service.clock.advance(8 * DAY_MS)
  const { link, notMe: signIn } = await signInMail(service, from)
  const token = (await service.call(`GET /auth/verify?token=${link}`)).body.token
  const keys = [await createKey(service, token)]
  const mailed = await askForChange(service, token, to)
  const asked = await service.smtp.mailTo(from, MAIL_WITHIN_MS, 'asked to change')
  const confirmed = await confirmWith(service, token, mailed)
  const changed = await service.smtp.mailTo(from, MAIL_WITHIN_MS, '/undo-email#')
  await recipientsOf(service)
  const buttons = {
    signIn,
    asked: buttonIn(asked, 'not-me'),
    changed: buttonIn(changed, 'not-me'),
    undo: buttonIn(changed, 'undo-email'),
  }
  return { from, to, tokens: [token, confirmed.body.token], keys, buttons, own, id }
}

let thefts = 0
const owners: Readonly<{ from: string; id: string }>[] = []

for (const [misdeed, commit] of Object.entries(misdeeds)) {
  describe(`a thief who changes the address and ${misdeed} loses everything by`, () => {
    for (const [way, takeBack] of Object.entries(ways)) {
      test(way, async () => {
        const theft = await steal(`owner-${thefts++}`)
        const { from, to, tokens, keys, own, id } = theft
        await commit(theft)
        const { status, text } = (await takeBack(theft)) as { status: number; text: string }
        assert.equal(status, 200, text)

        const user = await userOf(service.db, from)
        assert.deepEqual([user.id, user.disabled_at_ms], [id, null])
        assert.deepEqual(new Set(await statesOf(service, tokens)), new Set(['UNAUTHORIZED']))
        const [first, ...others] = await exchangesOf(service, [own, ...keys])
        assert.equal(first, 'works', 'the owner’s own key')
        for (const state of others) assert.ok(['KEY_AWAITS_OWNER', 'INVALID_CREDENTIALS'].includes(state), state)
        assert.deepEqual(await subjectsOf(service, from), [from.split('@')[0]])

        const owner = await service.signIn(from)
        assert.deepEqual(await statesOf(service, [owner]), [from])
        assert.equal((await disconnect(service, owner)).status, 200)
        // The thief's mailbox leads to an account of its own at most.
        const thief = await service.call('POST /auth/api/signup', { body: { email: to } })
        assert.notEqual(thief.body.user?.id, id)
        const undoable = await service.db.query
          .selectFrom('address_changes')
          .selectAll()
          .where('user_id', '=', id)
          .where('undo_until_ms', 'is not', null)
          .where('ended_at_ms', 'is', null)
          .execute()
        assert.deepEqual(undoable, [])
        owners.push({ from, id })
      })
    }
  })
}

test('a week after, once the sweep has run, each owner still has the account', async () => {
  assert.notEqual(owners.length, 0)
  service.clock.advance(8 * DAY_MS)
  await upkeep(service.deps)
  for (const { from, id } of owners) assert.equal((await userOf(service.db, from)).id, id, from)
})

test('the recipient of a thief’s mail cannot confirm the change from another account', async () => {
  const [from, to] = ['last@example.com', 'last-stranger@example.com']
  const stolen = await service.signIn(from)
  const mailed = await askForChange(service, stolen, to)
  // The stranger whose mailbox it is clicks, signed in to an account of their own.
  assertError(await confirmWith(service, await service.signIn('stranger@example.com'), mailed), 'SIGN_IN_REQUIRED')
  assert.deepEqual(await statesOf(service, [stolen]), [from])
})
