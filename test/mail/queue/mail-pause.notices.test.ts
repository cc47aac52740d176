import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buttonIn, countMailsTo, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { verify } from '../../support/mail/links.ts'
import { until } from '../../support/mail/mailing.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { startSmtp } from '../../support/mail/smtp.ts'
import type { SmtpStandIn } from '../../support/mail/smtp.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service
let smtp: SmtpStandIn
let isRefusing = false

before(async () => {
  smtp = await startSmtp({
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('not now'), { responseCode: 450 }) : null),
  })
  service = { ...(await startService({ SMTP_URL: smtp.url })), smtp }
})
after(async () => {
  await service.close()
  smtp.cutConnections()
  await smtp.close()
})

const ask = (email: string) => service.call('POST /auth/request', { body: { email } })
const queuedTo = (email: string) =>
  service.db.query.selectFrom('queued_mails').selectAll().where('email', '=', email).execute()

/** Sends two mails to a paused address, and signs up as a thief who used up the mail of the day. */
async function signUpUnnoticed(email: string): Promise<{ resume: string; link: string }> {
  await pauseMail(service, email)
  const { mail, link } = await signInMail(service, email)
  assert.equal((await service.call('POST /auth/api/signup', { body: { email } })).status, 201)
  assert.equal(await countMailsTo(service, email), 2)
  return { resume: buttonIn(mail, 'resume-mail'), link }
}

/** Lets the queue process everything that is due. */
async function letMailGo(): Promise<void> {
  service.deps.mailer.wake()
  await countMailsTo(service, 'nobody@example.com')
}

test('a thief who uses up the mail of the day delays the notice of a signup by that day, and no longer', async () => {
  const email = 'ana@example.com'
  await signUpUnnoticed(email)
  service.clock.advance(DAY_MS - 1)
  await ask(email)
  await letMailGo()
  assert.equal(await countMailsTo(service, email), 2)
  assert.deepEqual(
    (await queuedTo(email)).map(({ kind }) => kind),
    ['signup_notice'],
    'no sign-in mail is queued',
  )

  service.clock.advance(1)
  await letMailGo()
  const mail = await smtp.mailTo(email, undefined, 'created an account')
  assert.ok(buttonIn(mail, 'resume-mail'))
  await ask(email)
  await letMailGo()
  assert.equal(await countMailsTo(service, email), 3, 'the notice is the mail of its day')
  assert.deepEqual(await queuedTo(email), [])
})

test('the end of the pause releases the notice at once, without a word about the pause', async () => {
  const email = 'bob@example.com'
  const { resume } = await signUpUnnoticed(email)
  assert.equal((await press(service, 'resume-mail', resume)).status, 200)
  const mail = await smtp.mailTo(email, undefined, 'created an account')
  assert.doesNotMatch(mail.message.text ?? '', /paused|resume-mail/)
  assert.equal(await countMailsTo(service, email), 3)
})

test('an owner who has signed in meanwhile gets no notice', async () => {
  const email = 'cia@example.com'
  const { link } = await signUpUnnoticed(email)
  assert.equal((await verify(service, link)).status, 200)
  service.clock.advance(DAY_MS)
  await letMailGo()
  assert.equal(await countMailsTo(service, email), 2)
  assert.deepEqual(await queuedTo(email), [])
})

test('a notice that the server refuses when its day has come is retried, not lost', async (t) => {
  const email = 'dan@example.com'
  await signUpUnnoticed(email)
  t.after(() => (isRefusing = false))
  isRefusing = true
  service.clock.advance(DAY_MS)
  service.deps.mailer.wake()
  await until(async () => {
    const [row] = await queuedTo(email)
    return row?.attempts === 1 && row.leased_until_ms === null
  })
  isRefusing = false
  service.clock.advance(1500)
  await letMailGo()
  assert.ok(buttonIn(await smtp.mailTo(email, undefined, 'created an account'), 'resume-mail'))
  assert.equal(await countMailsTo(service, email), 3)
})
