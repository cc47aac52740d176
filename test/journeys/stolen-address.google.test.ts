/** A thief who prepares a change of the address with a Google account: no way back in survives the owner's buttons. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { askForChange, changeAddress } from '../support/accounts/address-changes.ts'
import type { Changed } from '../support/accounts/address-changes.ts'
import { createKey, exchangesOf } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { userOf } from '../support/database/state.ts'
import { oneTap, startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { connect, disconnect, subjectsOf } from '../support/google/identities.ts'
import { buttonIn, eventsOf, press, signInMail } from '../support/mail/buttons.ts'
import { MAIL_WITHIN_MS } from '../support/mail/smtp.ts'

const DAY_MS = 24 * 3600 * 1000
let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

type Theft = Readonly<{
  id: string
  from: string
  google: { sub: string; email: string }
  /** A key by the Google account, before the change. */
  key: NewKey
  buttons: Readonly<{ signIn: string; google: string; undo: string; changed: string }>
}>

type Then = (token: string) => Promise<unknown>

/**
 * The stolen link's sign-in connects a Google account, and a sign-in with that asks for the change.
 * @param beforeAsking what the thief does with the token of the Google sign-in
 */
async function steal(name: string, beforeAsking: Then = async () => {}): Promise<Theft> {
  const [from, to] = [`${name}@example.com`, `${name}-thief@example.com`]
  const google = { sub: `thief of ${name}`, email: `${name}@thief.example` }
  const { id } = await userOf(service.db, (await service.signIn(from), from))
  service.clock.advance(60_000)
  const { link, notMe: signIn } = await signInMail(service, from)
  const first = (await service.call(`GET /auth/verify?token=${link}`)).body.token
  assert.equal((await connect(service, first, google)).status, 200)
  const notice = await service.smtp.mailTo(from, MAIL_WITHIN_MS, `${google.email} was connected`)
  service.clock.advance(1000)
  const key = await createKey(service, (await oneTap(service, google)).body.token)
  service.clock.advance(1000)
  const second = (await oneTap(service, google)).body.token
  await beforeAsking(second)
  const { undo, notMe: changed }: Changed = await changeAddress(service, second, { from, to })
  return { id, from, google, key, buttons: { signIn, google: buttonIn(notice, 'not-me'), undo, changed } }
}

async function assertThiefIsOut({ id, from, google }: Theft): Promise<void> {
  assert.equal((await userOf(service.db, from)).id, id)
  assert.deepEqual(await subjectsOf(service, from), [])
  assert.notEqual((await oneTap(service, google)).body.user?.id, id)
}

const orders: readonly (readonly (keyof Theft['buttons'])[])[] = [
  ['undo'],
  ['changed'],
  ['signIn'],
  ['google'],
  ['undo', 'signIn'],
  ['undo', 'google'],
  ['changed', 'google', 'signIn'],
  ['signIn', 'undo'],
  ['google', 'changed', 'undo'],
]

describe('a Google account that a stolen sign-in connected signs nobody in after', () => {
  for (const [index, order] of orders.entries()) {
    test(order.join(', then '), async () => {
      const theft = await steal(`ana-${index}`)
      for (const button of order)
        await press(service, button === 'undo' ? 'undo-email' : 'not-me', theft.buttons[button])
      await assertThiefIsOut(theft)
      assert.deepEqual(await exchangesOf(service, [theft.key]), ['KEY_AWAITS_OWNER'])
      await assertThiefIsOut(theft)
    })
  }
})

test('“this wasn’t me” finds the change and the keys also if the thief disconnected the Google account before', async () => {
  for (const [index, button] of (['signIn', 'google'] as const).entries()) {
    const theft = await steal(`bob-${index}`, async (token) => {
      assert.equal((await disconnect(service, token)).status, 200)
    })
    assert.equal((await press(service, 'not-me', theft.buttons[button])).status, 200)
    await assertThiefIsOut(theft)
    assert.deepEqual(await exchangesOf(service, [theft.key]), ['KEY_AWAITS_OWNER'])
  }
})

test('a Google account with which the change was asked for stays disconnected, however long it was connected', async () => {
  const from = 'cia@example.com'
  const google = { sub: 'cia', email: 'cia@third.example' }
  const theirs = await createKey(service, await service.signIn(from))
  await connect(service, await service.signIn(from), google)
  service.clock.advance(30 * DAY_MS)
  const { token } = (await oneTap(service, google)).body
  const { undo } = await changeAddress(service, token, { from, to: 'cia-2@example.com' })
  assert.equal((await press(service, 'undo-email', undo)).status, 200)
  assert.deepEqual(await subjectsOf(service, from), [])
  assert.deepEqual(await exchangesOf(service, [theirs]), ['works'])
  const types = (await eventsOf(service, from)).map(({ type }) => type)
  assert.deepEqual(types.slice(-2), ['google_not_restored', 'email_change_undone'])
})

test('“this wasn’t me” about a change that a Google sign-in asked for disconnects that Google account', async () => {
  const from = 'dan@example.com'
  const google = { sub: 'dan', email: 'dan@third.example' }
  await connect(service, await service.signIn(from), google)
  service.clock.advance(30 * DAY_MS)
  const { token } = (await oneTap(service, google)).body
  await askForChange(service, token, 'dan-2@example.com')
  const notice = await service.smtp.mailTo(from, MAIL_WITHIN_MS, 'asked to change')
  assert.equal((await press(service, 'not-me', buttonIn(notice, 'not-me'))).status, 200)
  assert.deepEqual(await subjectsOf(service, from), [])
})
