import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { QueuedMail } from '../../../../src/domain/mails/mail-queue-store.ts'
import { createKey } from '../../../support/accounts/keys.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import { until } from '../../../support/mail/mailing.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { startSmtp } from '../../../support/mail/smtp.ts'
import type { SmtpStandIn } from '../../../support/mail/smtp.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
let service: Service
let smtp: SmtpStandIn
const refusedAddresses = new Set<string>()

before(async () => {
  smtp = await startSmtp({
    onRcptTo: ({ address }, _session, done) =>
      done(refusedAddresses.has(address) ? Object.assign(new Error('not now'), { responseCode: 450 }) : null),
  })
  service = { ...(await startService({ SMTP_URL: smtp.url, LOG_LEVEL: 'info' })), smtp }
})
after(async () => {
  await service.close()
  smtp.cutConnections()
  await smtp.close()
})

const rows = () => service.db.query.selectFrom('queued_mails').selectAll().orderBy('email').execute()

/** The queued mails, once every due one has been tried. */
async function waiting(): Promise<QueuedMail[]> {
  service.deps.mailer.wake()
  await until(async () =>
    (await rows()).every((row) => row.leased_until_ms === null && row.due_at_ms > service.clock.now()),
  )
  return rows()
}

const addresses = (mails: readonly QueuedMail[]) => mails.map(({ email }) => email)

async function signIn(email: string): Promise<string> {
  return (await verify(service, await mailedToken(service, email))).body.token
}

/** Queues a mail of every kind, each to its own refused address; two are notices to owners. */
async function queueEveryKind(name: string): Promise<Record<'owner' | 'other' | 'new' | 'asks', string>> {
  const to = (who: string) => `${name}-${who}@example.com`
  const all = { owner: to('owner'), other: to('other'), new: to('new'), asks: to('asks') }
  const tokens = [await signIn(all.owner), await signIn(all.other)]
  for (const address of Object.values(all)) refusedAddresses.add(address)
  for (const token of tokens) await createKey(service, token)
  await service.call('POST /auth/api/signup', { body: { email: all.new } })
  await service.call('POST /auth/request', { body: { email: all.asks } })
  assert.deepEqual(addresses(await waiting()), Object.values(all).toSorted())
  return all
}

test('a link is dropped after an hour, a notice to an owner after three days', async () => {
  const to = await queueEveryKind('a')
  service.clock.advance(61 * MINUTE_MS)
  assert.deepEqual(addresses(await waiting()), [to.new, to.other, to.owner])
  service.clock.advance(3 * DAY_MS - 62 * MINUTE_MS)
  assert.deepEqual(addresses(await waiting()), [to.new, to.other, to.owner])

  refusedAddresses.delete(to.owner)
  service.clock.advance(MINUTE_MS - 1)
  assert.deepEqual(addresses(await waiting()), [], 'the next attempts would be too late')
  const mail = await smtp.mailTo(to.owner, undefined, 'was created from')
  assert.equal(mail.message.subject, 'Your API keys')
  const recipients = smtp.mails.flatMap((each) => each.to)
  const arrived = [to.owner, to.other, to.new, to.asks].map(
    (address) => recipients.filter((one) => one === address).length,
  )
  assert.deepEqual(arrived, [2, 1, 0, 0], 'their sign-in mails and the one notice')
  const givenUp = () => service.logLines.filter((line) => line.includes('"mail given up"')).length
  // Readers miss the row before its deletion is durable, and the log line comes after that.
  await until(() => givenUp() >= 3)
  assert.equal(givenUp(), 3)
})

test('retry delays grow to a quarter of an hour for a notice and to a minute for a link', async () => {
  const to = await queueEveryKind('b')
  await service.db.query.updateTable('queued_mails').set({ attempts: 60, due_at_ms: service.clock.now() }).execute()
  const delays = new Map((await waiting()).map((row) => [row.email, (row.due_at_ms - service.clock.now()) / MINUTE_MS]))
  for (const [address, minutes] of [
    [to.owner, 15],
    [to.new, 15],
    [to.asks, 1],
  ] as const) {
    const delay = delays.get(address) ?? 0
    assert.ok(delay >= minutes && delay <= minutes * 1.5, `${address}: ${delay} minutes`)
  }
})
