/** A flood of link requests delays only its senders: networks take turns, and owners go first. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemRandom } from '../../../../src/lib/random.ts'
import { enqueueMail } from '../../../../src/domain/mails/mail-queue-store.ts'
import { newMail } from '../../../../src/domain/mails/new-mail.ts'
import { fingerprintOf } from '../../../support/http/answers.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { ask, network, settle } from '../../../support/mail/mail-flood.ts'
import { startMailing, until } from '../../../support/mail/mailing.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../../support/process/metrics.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

test('in a flood from twenty networks a bystander’s mail waits for one mail of each network, and an owner’s for none', async (t) => {
  const mailing = await startMailing()
  t.after(() => mailing.close())
  const enqueue = (email: string, ip: string) =>
    enqueueMail(
      mailing.db,
      newMail({ clock: mailing.clock, random: systemRandom }, { kind: 'sign_in', locale: 'en', email, ip }),
    )
  const owner = {
    id: 'owner',
    email: 'owner@example.com',
    role: 'USER',
    token_version: 0,
    created_at_ms: 1,
    claimed_at_ms: 1,
  }
  await mailing.db.query.insertInto('users').values(owner).execute()
  for (let n = 0; n < 200; n += 1) await enqueue(`flood-${n}@example.com`, network(n % 20))
  await enqueue('bystander@example.com', '203.0.113.1')
  await enqueue('owner@example.com', network(3))
  mailing.queue.start()
  const placeOf = (email: string) => mailing.smtp.mails.findIndex(({ to }) => to.includes(email))
  await until(() => placeOf('bystander@example.com') >= 0 && placeOf('owner@example.com') >= 0, 'both arrive', 300_000)
  // Five mails are sent at a time, and each may overtake the other four.
  assert.ok(placeOf('owner@example.com') < 5, `${placeOf('owner@example.com')}`)
  assert.ok(placeOf('bystander@example.com') <= 26, `${placeOf('bystander@example.com')}`)
  await until(async () => (await mailing.waiting()).length === 0, 'the flood is sent', 300_000)
  assert.equal(mailing.smtp.mails.length, 202, 'the flood is sent too')
})

async function isLeased({ db }: Service): Promise<boolean> {
  const leased = db.query.selectFrom('queued_mails').select('id').where('leased_until_ms', 'is not', null)
  return (await leased.executeTakeFirst()) !== undefined
}

describe('mail to an unproven address', () => {
  test('is delayed by a shared budget and never refused, delays no proven owner, and does not count as queued in the metrics', async (t) => {
    const service = await startService({ ...productionLimits, RATE_LIMIT_MAIL_UNPROVEN: '20/10m', METRICS_TOKEN })
    t.after(() => service.close())
    await service.signIn('owner@example.com')
    const sentBefore = service.smtp.mails.length
    for (let n = 0; n < 60; n += 1) assert.equal((await ask(service, `new-${n}@example.com`, network(n))).status, 200)
    // The owner's first sign-in used one mail of the budget.
    await until(() => service.smtp.mails.length - sentBefore >= 19)
    assert.equal((await ask(service, 'owner@example.com', '203.0.113.1')).status, 200)
    await service.smtp.mailTo('owner@example.com')
    const queueLength = async () => valueOf(await scrape(service.origin), 'mail_queue_length')
    await until(async () => !service.isSending() && (await queueLength()) === 0)
    const all = () => service.smtp.mails.length - sentBefore
    assert.ok(all() <= 20 + 5, `${all()}`)

    service.clock.advance(29_000)
    const samples = await scrape(service.origin)
    assert.deepEqual([valueOf(samples, 'mail_queue_length'), valueOf(samples, 'mail_queue_oldest_age_seconds')], [0, 0])
    const sent = all()
    service.clock.advance(31_000)
    service.deps.mailer.wake()
    await until(() => all() > sent)

    // A link that was requested an hour ago is dropped.
    service.clock.advance(3_600_000)
    service.deps.mailer.wake()
    await until(async () => (await service.db.query.selectFrom('queued_mails').selectAll().execute()).length === 0)
    assert.ok(all() <= 60)
  })

  test('of a newcomer waits for at most one mail of each network of a flood, however large the backlog', async (t) => {
    const service = await startService({
      ...productionLimits,
      RATE_LIMIT_MAIL_UNPROVEN: '60/1h',
      RATE_LIMIT_REQUEST_REPEAT: '1000/1s',
    })
    t.after(() => service.close())
    const networks = 10
    let asked = 0
    const flood = async (mails: number) => {
      for (let n = 0; n < mails; n += 1) await ask(service, `flood-${asked}@example.com`, network(asked++ % networks))
    }
    // The budget refills by one mail a minute.
    const untilNextIsSent = async () => {
      // A mail that is being sent when its lease ends by the test's clock would be sent twice.
      await until(async () => !service.isSending() && !(await isLeased(service)))
      const { length: sent } = service.smtp.mails
      service.clock.advance(60_000)
      service.deps.mailer.wake()
      await until(() => service.smtp.mails.length > sent)
    }
    await flood(60)
    await until(() => service.smtp.mails.length >= 60)
    for (let minute = 0; minute < 8; minute += 1) {
      await flood(10)
      await untilNextIsSent()
    }
    const { length: before } = service.smtp.mails
    await ask(service, 'newcomer@example.com', '203.0.113.1')
    const hasArrived = () => service.smtp.mails.some(({ to }) => to.includes('newcomer@example.com'))
    for (let minute = 0; minute < 2 * networks && !hasArrived(); minute += 1) {
      await untilNextIsSent()
      await flood(10)
    }
    assert.ok(hasArrived(), 'the newcomer’s mail was sent')
    assert.ok(service.smtp.mails.length - before <= networks + 5, `${service.smtp.mails.length - before}`)
  })

  test('gets the same answer, byte for byte, as any other, even when every budget is used up', async (t) => {
    const service = await startService({
      ...productionLimits,
      RATE_LIMIT_MAIL_UNPROVEN: '1/1h',
      RATE_LIMIT_MAIL_MAILBOX: '1/1h',
    })
    t.after(() => service.close())
    await service.signIn('owner@example.com')
    assert.equal(
      (await service.call('POST /auth/api/signup', { body: { email: 'unclaimed@example.com' } })).status,
      201,
    )
    const prints = new Set<string>()
    let n = 0
    for (let round = 0; round < 3; round += 1) {
      for (const email of [
        'owner@example.com',
        'owner+tag@example.com',
        'unclaimed@example.com',
        'nobody@example.com',
      ]) {
        const answer = await ask(service, email, network(n++))
        assert.equal(answer.status, 200)
        prints.add(fingerprintOf(answer))
      }
    }
    assert.equal(prints.size, 1, [...prints].join('\n'))
  })
})

test('a stranger’s later request changes neither redirect target, language nor due time of a queued mail', async (t) => {
  const service = await startService({
    ...productionLimits,
    APP_URL: 'https://app.example',
    RATE_LIMIT_MAIL_MAILBOX: '2/10m',
  })
  t.after(() => service.close())
  const email = 'ana@example.com'
  await service.signIn(email)
  await settle(service)
  // Uses up the mailbox's budget of two mails; the owner's sign-in was the first.
  await ask(service, email, network(1))
  await settle(service)
  const mine = {
    body: { email, redirectTo: 'https://app.example/mine' },
    headers: { 'x-forwarded-for': '203.0.113.1', 'accept-language': 'ro' },
  }
  assert.equal((await service.call('POST /auth/request', mine)).status, 200)
  await settle(service)
  const waiting = () =>
    service.db.query.selectFrom('queued_mails').select(['redirect_to', 'locale', 'due_at_ms']).execute()
  const before = await waiting()
  assert.deepEqual(
    before.map(({ redirect_to, locale }) => [redirect_to, locale]),
    [['https://app.example/mine', 'ro']],
  )
  service.clock.advance(60_000)
  assert.equal((await ask(service, email, network(9), 'https://app.example/theirs')).status, 200)
  await settle(service)
  assert.deepEqual(await waiting(), before)
})
