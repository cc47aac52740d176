/** Concurrent actions on one address take locks in one order: none deadlocks and none fails. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { insertPendingChange } from '../../../src/domain/address-change/address-change-store.ts'
import type { Transaction } from '../../../src/database/database.ts'
import { newUser } from '../../../src/domain/users/claim.ts'
import { insertIdentity } from '../../../src/domain/google/identity-store.ts'
import { insertKey } from '../../../src/domain/keys/key-store.ts'
import { insertLink } from '../../../src/domain/sign-in/magic-link-store.ts'
import { insertUser } from '../../../src/domain/users/user-store.ts'
import { newKey } from '../../../src/domain/keys/new-key.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { insertButton, insertPause } from '../../../src/domain/mails/mail-button-store.ts'
import type { MailButton } from '../../../src/domain/mails/mail-button-store.ts'
import { enqueueMail, findDueMails, leaseMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { newMail } from '../../../src/domain/mails/new-mail.ts'
import type { QueuedMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { recordSent } from '../../../src/mail/queue/mail-pause.ts'
import { administer, clusterUrl, newDatabase } from '../../support/database/database.ts'
import type { TestDatabase } from '../../support/database/database.ts'
import { startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { until } from '../../support/until.ts'

const skip = clusterUrl === undefined && 'SQLite has one write lock'
const HOUR_MS = 3_600_000
/** Time for each action to reach the lock it waits for. */
const STEP_MS = 30
/** Rounds for each table. Tables that most actions lock need more rounds for every cycle to be found. */
const ROUNDS = 4
const MORE_ROUNDS: Readonly<Record<string, number>> = { queued_mails: 24, magic_links: 24 }
/** Tables that no action locks without an account. */
const accountTables = new Set(['users', 'identities', 'api_keys'])

let database: TestDatabase
let service: GoogleService
let observer: Client
before(async () => {
  if (skip) return
  database = await newDatabase('')
  // As in a large table: rows are found, and locked, in index order.
  const name = new URL(database.url).pathname.slice(1)
  await administer(`alter database ${name} set enable_seqscan = off`)
  service = await startGoogleService({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '20' })
  observer = new Client({ connectionString: database.url })
  await observer.connect()
})
let isOpen = true
async function closeService(): Promise<void> {
  if (isOpen) await service.close()
  isOpen = false
}
after(async () => {
  if (skip) return
  await closeService()
  await observer.end()
  await database.remove()
})

/** What exists for an address besides two links, both buttons and a pause. */
type AddressRows = Readonly<{ hasAccount: boolean; hasMails: boolean }>

type Situation = Readonly<{ email: string; userId: string; token: string; credential: string; sentMail: QueuedMail }>

async function prepare(name: string, { hasAccount, hasMails }: AddressRows): Promise<Situation> {
  const { deps, db, clock, issuer } = service
  const nowMs = clock.now()
  const email = `${name}@gmail.com`
  const user = newUser(deps, { email, locale: 'en', name: null, claimedAtMs: nowMs })
  // One mail was tried, the other is held back by the pause: the sender must touch neither.
  const sentMail = {
    ...newMail(deps, { kind: 'sign_in', email, locale: 'en' }),
    attempts: 1,
    leased_until_ms: nowMs + HOUR_MS,
  }
  const heldMail = { ...newMail(deps, { kind: 'signup_notice', email, locale: 'en' }), due_at_ms: nowMs + HOUR_MS }
  const buttonOf = (action: MailButton['action'], to = email) => ({
    token_hash: sha256(`${action} ${name}`),
    action,
    email: to,
    mail_kind: 'sign_in' as const,
    mailed_at_ms: nowMs,
    expires_at_ms: nowMs + HOUR_MS,
    link_hash: action === 'not_me' ? sha256(`first ${name}`) : null,
    sign_in_id: null,
    tells_since_ms: null,
    used_at_ms: null,
  })
  const subject = { userId: user.id, role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds: 3600 } as const
  const token = deps.accessTokens.issue(subject)
  const signInId = deps.accessTokens.verify(token)?.jti ?? ''
  await db.transaction(async (trx) => {
    if (hasAccount) {
      await insertUser(trx, user)
      await insertKey(trx, newKey(deps, { userId: user.id, name: undefined }).row)
      const identity = {
        issuer: issuer.url,
        subject: name,
        user_id: user.id,
        email,
        connected_at_ms: nowMs,
        sign_in_id: name,
      }
      await insertIdentity(trx, identity)
      // One change of the address to confirm, and one to undo.
      const [oldEmail, newEmail] = [`${name}.old@gmail.com`, newAddressOf(name)]
      const change = {
        user_id: user.id,
        sign_in_id: signInId,
        asked_at_ms: nowMs,
        expires_at_ms: nowMs + HOUR_MS,
        ended_at_ms: null,
        deletion_asked_at_ms: null,
        identities: '[]',
        kept_until_ms: nowMs + HOUR_MS,
      }
      const undone = { confirmed_at_ms: nowMs, undo_until_ms: nowMs + HOUR_MS, token_version: -1 }
      await insertPendingChange(trx, { ...change, ...undone, id: `${name} 1`, old_email: oldEmail, new_email: email })
      const pending = { confirmed_at_ms: null, undo_until_ms: null, token_version: 0 }
      await insertPendingChange(trx, { ...change, ...pending, id: `${name} 2`, old_email: email, new_email: newEmail })
      await insertButton(trx, buttonOf('undo_email', oldEmail))
      await insertButton(trx, buttonOf('confirm_email', newEmail))
      const link = { token_hash: sha256(`new ${name}`), email: newEmail, redirect_to: null }
      await insertLink(trx, { ...link, expires_at_ms: nowMs + HOUR_MS })
    }
    for (const which of ['first', 'second']) {
      const link = { token_hash: sha256(`${which} ${name}`), email, redirect_to: null, expires_at_ms: nowMs + HOUR_MS }
      await insertLink(trx, link)
    }
    for (const action of ['resume_mail', 'not_me'] as const) await insertButton(trx, buttonOf(action))
    await insertPause(trx, email, nowMs)
    for (const mail of hasMails ? [heldMail, sentMail] : []) await enqueueMail(trx, mail)
  })
  return { email, userId: user.id, token, credential: issuer.sign(issuer.claims({ sub: name, email })), sentMail }
}

const newAddressOf = (name: string): string => `${name}.new@gmail.com`

/** The racing actions: permitted statuses (none if not a call), and whether the process serialises the write. */
function actionsOf({ email, token, credential, sentMail }: Situation, name: string, hasAccount: boolean) {
  const { call, db, clock } = service
  const verify = (which: string) => call(`GET /auth/verify?token=${which}%20${name}`)
  const press = (route: string, action: string) => call(route, { body: { token: `${action} ${name}` } })
  const lateMs = clock.now() + 2 * HOUR_MS
  // As a turn of the queue: several mails in one transaction.
  const takeTurn = async (trx: Transaction) => {
    await recordSent(trx, { ...sentMail, offersResume: true }, clock.now())
    const { mails } = await findDueMails(trx, { nowMs: lateMs, limit: 5, isOwnersOnly: false })
    for (const { id } of mails) await leaseMail(trx, { id, nowMs: lateMs, untilMs: lateMs })
  }
  const signedIn = {
    'connects Google': [() => call('POST /auth/google/connection', { token, body: { credential } }), [200, 401], true],
    'creates a key': [() => call('POST /auth/api-keys', { token, body: {} }), [201, 401], true],
    'asks for a change': [
      () => call('POST /users/me/email', { token, body: { email: `other.${newAddressOf(name)}` } }),
      [202, 401],
      true,
    ],
    'confirms a change': [
      () => call('POST /auth/email/confirm', { token, body: { token: `confirm_email ${name}` } }),
      [200, 401, 409],
      true,
    ],
    'undoes a change': [() => press('POST /auth/email/undo', 'undo_email'), [200, 401]],
    'signs in with the new address': [() => verify('new'), [200, 401]],
    'deletes the account': [() => call('DELETE /users/me', { token }), [200, 401], true],
  } as const
  return [
    [() => verify('first'), [200, 401]],
    [() => verify('second'), [200, 401]],
    [() => press('POST /auth/links/not-me', 'not_me'), [200, 401]],
    [() => press('POST /auth/mail/resume', 'resume_mail'), [200, 401]],
    // 403: the address has just become one that the account had until lately.
    [() => call('POST /auth/google/onetap', { body: { credential } }), [200, 401, 403]],
    ...(hasAccount ? Object.values(signedIn) : []),
    [() => call('POST /auth/request', { body: { email } }), [200]],
    [() => db.transaction(takeTurn), []],
  ] as readonly (readonly [() => Promise<any>, readonly number[], true?])[]
}

/** Locks rows of one table: each action waits there, in order of arrival, with the locks it already holds. */
const lockStatements: Readonly<Record<string, (situation: Situation) => [string, unknown[]]>> = {
  users: ({ email }) => ['select 1 from users where email = $1 for update', [email]],
  queued_mails: ({ email }) => ['select 1 from queued_mails where email = $1 for update', [email]],
  magic_links: ({ email }) => ['select 1 from magic_links where email = $1 for update', [email]],
  mail_buttons: ({ email }) => ['select 1 from mail_buttons where email = $1 for update', [email]],
  mail_pauses: ({ email }) => ['select 1 from mail_pauses where email = $1 for update', [email]],
  identities: ({ userId }) => ['select 1 from identities where user_id = $1 for update', [userId]],
  api_keys: ({ userId }) => ['select 1 from api_keys where user_id = $1 for update', [userId]],
  spent_credentials: ({ credential }) => [
    'insert into spent_credentials values ($1, 0)',
    [sha256(credential.slice(0, credential.lastIndexOf('.')))],
  ],
}

/** A deterministic shuffle: the same order for the same name. */
const shuffled = <T>(all: readonly T[], name: string): T[] =>
  all
    .map((one, index) => ({ one, at: sha256(`${name} ${index}`) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ one }) => one)

/** Starts all actions, one after the other, while one table's rows are locked, then releases them. */
async function race(table: string, addressRows: AddressRows, round: number): Promise<void> {
  const name = `${table.replace('_', '')}${addressRows.hasAccount ? 'a' : 'n'}${round}`
  const situation = await prepare(name, addressRows)
  const holder = new Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin')
  await holder.query(...(lockStatements[table]?.(situation) ?? assert.fail()))
  let done = 0
  let serialised = 0
  const answers: Promise<void>[] = []
  const waiting = `
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (const [act, statuses, isSerialised] of shuffled(actionsOf(situation, name, addressRows.hasAccount), name)) {
    const acting = async () => {
      const answer = await act().finally(() => void (done += 1))
      if (statuses.length > 0) assert.ok(statuses.includes(answer.status), `${name}: ${answer.status} ${answer.text}`)
    }
    answers.push(acting())
    // The process serialises the writes of one user: all but one wait there, unseen by the database.
    if (isSerialised) serialised += 1
    const unseen = Math.max(0, serialised - 1)
    for (const deadline = performance.now() + STEP_MS; performance.now() < deadline;) {
      if (done + (await observer.query(waiting)).rows[0].waiting >= answers.length - unseen) break
    }
  }
  await holder.query('rollback')
  await holder.end()
  const outcomes = await Promise.allSettled(answers)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  await service.db.query.deleteFrom('queued_mails').execute()
}

/** Server processes report deadlocks when they end at the latest, so all others must have ended. */
async function countDeadlocks(): Promise<number> {
  const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await until(async () => (await observer.query(others)).rows.length === 0, 'the others have ended')
  const { rows } = await observer.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return rows[0].deadlocks
}

test('concurrent actions on one address are all answered, in any order, without a deadlock', { skip }, async () => {
  for (const table of Object.keys(lockStatements)) {
    for (let round = 0; round < (MORE_ROUNDS[table] ?? ROUNDS); round += 1) {
      await race(table, { hasAccount: true, hasMails: true }, round)
      if (!accountTables.has(table)) await race(table, { hasAccount: false, hasMails: round % 3 > 0 }, round)
    }
  }
  await closeService()
  assert.equal(await countDeadlocks(), 0)
})

test('control: a deadlock is counted', { skip }, async () => {
  const [one, other] = [0, 1].map(() => new Client({ connectionString: database.url })) as [Client, Client]
  await Promise.all([one.connect(), other.connect()])
  for (const client of [one, other]) await client.query(`begin; set local deadlock_timeout = '10ms'`)
  await one.query('lock table users')
  await other.query('lock table api_keys')
  const circle = await Promise.allSettled([one.query('lock table api_keys'), other.query('lock table users')])
  await Promise.all([one.end(), other.end()])
  assert.equal(circle.filter(({ status }) => status === 'rejected').length, 1)
  assert.equal(await countDeadlocks(), 1)
})
