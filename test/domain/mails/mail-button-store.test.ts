import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  deleteButtonsOf,
  deleteExpiredButtons,
  deletePause,
  findButton,
  findAddressOfLink,
  findPause,
  insertButton,
  insertPause,
  markUsed,
  recordMailDuringPause,
  recordSignIn,
} from '../../../src/domain/mails/mail-button-store.ts'
import type { MailButton } from '../../../src/domain/mails/mail-button-store.ts'
import { startMailing } from '../../support/mail/mailing.ts'
import type { Mailing } from '../../support/mail/mailing.ts'
import { databaseContent } from '../../support/database/state.ts'

let mailing: Mailing
before(async () => {
  mailing = await startMailing()
})
after(() => mailing.close())

/** Stores a button that is valid from 1000 to 2000. */
async function add(token_hash: string, more: Partial<MailButton> = {}): Promise<void> {
  const action: MailButton = {
    token_hash,
    action: 'not_me',
    email: 'ana@example.com',
    mail_kind: 'sign_in',
    mailed_at_ms: 1000,
    expires_at_ms: 2000,
    link_hash: null,
    sign_in_id: null,
    tells_since_ms: null,
    used_at_ms: null,
    ...more,
  }
  await mailing.db.transaction((trx) => insertButton(trx, action))
}

const hashes = async () => (await databaseContent(mailing.db)).buttons.map(({ token_hash }) => token_hash)

test('a button is found by its own action only, until the millisecond before it expires, used or not', async () => {
  await add('one')
  const find = (action: MailButton['action'], hash: string, nowMs: number) =>
    findButton(mailing.db, action, hash, nowMs)
  assert.equal((await find('not_me', 'one', 1999))?.used_at_ms, null)
  assert.equal(await find('not_me', 'one', 2000), undefined)
  assert.equal(await find('resume_mail', 'one', 1500), undefined)
  assert.equal(await find('not_me', 'ONE', 1500), undefined)

  const press = (atMs: number) => mailing.db.transaction((trx) => markUsed(trx, 'one', atMs))
  assert.deepEqual([await press(1500), await press(1600)], [true, false])
  assert.equal((await find('not_me', 'one', 1999))?.used_at_ms, 1500, 'the first use stays')
  assert.equal(await mailing.db.transaction((trx) => markUsed(trx, 'unknown', 1500)), false)
})

test('the sign-in that used a link is written to the button of the link’s mail, and to no other', async () => {
  await add('of the link', { link_hash: 'link', email: 'bob@example.com' })
  await add('of another link', { link_hash: 'another' })
  await add('of no link')
  await mailing.db.transaction((trx) => recordSignIn(trx, 'link', 'sign-in'))
  const { buttons } = await databaseContent(mailing.db)
  const signedIn = buttons.filter(({ sign_in_id: id }) => id !== null).map(({ token_hash: hash }) => hash)
  assert.deepEqual(signedIn, ['of the link'])
  assert.equal(await findAddressOfLink(mailing.db, 'link'), 'bob@example.com')
  assert.equal(await findAddressOfLink(mailing.db, 'unknown'), undefined)
})

test('a sweep deletes expired buttons in batches, used or not, and keeps valid ones', async () => {
  await mailing.db.query.deleteFrom('mail_buttons').execute()
  for (let n = 0; n < 5; n++) await add(`over ${n}`, { used_at_ms: n % 2 ? 1500 : null })
  await add('on time', { expires_at_ms: 2001 })
  const sweep = () => deleteExpiredButtons(mailing.db, 2000, 2)
  assert.deepEqual([await sweep(), await sweep(), await sweep(), await sweep()], [2, 2, 1, 0])
  assert.deepEqual(await hashes(), ['on time'])
})

test('deleteButtonsOf deletes all buttons of an address, and no others', async () => {
  await mailing.db.query.deleteFrom('mail_buttons').execute()
  await add('hers', { email: 'eva@example.com' })
  await add('hers too', { email: 'eva@example.com', action: 'resume_mail' })
  await add('his', { email: 'eva@example.com.evil.example' })
  await mailing.db.transaction((trx) => deleteButtonsOf(trx, 'eva@example.com'))
  assert.deepEqual(await hashes(), ['his'])
})

test('an existing pause stays unchanged; only a mail made during it that offers to end it counts', async () => {
  const email = 'cia@example.com'
  const stored = async () => ({ ...(await findPause(mailing.db, email)) })
  const pause = (atMs: number) => mailing.db.transaction((trx) => insertPause(trx, email, atMs))
  const count = (address: string, atMs: number) =>
    mailing.db.transaction((trx) => recordMailDuringPause(trx, address, atMs))
  await count(email, 1000)
  assert.deepEqual(await stored(), {}, 'counting creates no pause')

  await pause(1000)
  await add('not-me during it', { email, mailed_at_ms: 1200 })
  await add('end of an earlier one', { email, action: 'resume_mail', mailed_at_ms: 999 })
  await add('end of another’s', { email: 'dan@example.com', action: 'resume_mail' })
  await count(email, 1300)
  assert.deepEqual(await stored(), { email, paused_at_ms: 1000, mailed_at_ms: null })

  await add('its end', { email, action: 'resume_mail', mailed_at_ms: 1400 })
  await count('dan@example.com', 1450)
  await count(email, 1500)
  await pause(1600)
  assert.deepEqual(await stored(), { email, paused_at_ms: 1000, mailed_at_ms: 1500 })

  await mailing.db.transaction((trx) => insertPause(trx, 'dan@example.com', 1000))
  await mailing.db.transaction((trx) => deletePause(trx, email))
  assert.deepEqual(
    (await databaseContent(mailing.db)).pauses.map((row) => row.email),
    ['dan@example.com', 'mailbox:dan@example.com'],
  )
})
