import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { agents } from '../../support/accounts/sessions.ts'
import { tick } from '../../support/clock.ts'
import { recipientsOf } from '../../support/database/state.ts'
import { startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { buttonIn, pauseMail, signInMail } from '../../support/mail/buttons.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { until } from '../../support/until.ts'
import { flowingText, startSmtp } from '../../support/mail/smtp.ts'
import type { SmtpStandIn } from '../../support/mail/smtp.ts'

const DAY_MS = 24 * 3600 * 1000
const SUBJECT = 'New sign-in to your account'
let service: GoogleService
let smtp: SmtpStandIn
let isRefusing = false
before(async () => {
  smtp = await startSmtp({
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('not now'), { responseCode: 450 }) : null),
  })
  const settings = { APP_URL: 'https://app.example/account', EVENTS_KEEP_DAYS: '30', SMTP_URL: smtp.url }
  service = { ...(await startGoogleService(settings)), smtp }
  // A reported sign-in may have happened some milliseconds before its mail was queued.
  tick(service.clock)
})
after(async () => {
  await service.close()
  await smtp.close()
})

const headersOf = (agent: keyof typeof agents, language = 'en') => ({
  'user-agent': agents[agent],
  'accept-language': language,
})

async function signInWith(agent: keyof typeof agents, email: string, language = 'en'): Promise<void> {
  const token = await mailedToken(service, email)
  assert.equal((await verify(service, token, { headers: headersOf(agent, language) })).status, 200)
}

/** The notices of new sign-ins to an address, oldest first. */
async function noticesTo(email: string, subject = SUBJECT) {
  await recipientsOf(service)
  return service.smtp.mails.filter((mail) => mail.to.includes(email) && mail.message.subject === subject)
}

test('the notice says when, how, with which browser and from which network, and has one link and the not-me', async () => {
  const email = 'ana@example.com'
  await signInWith('Chrome on Windows', email)
  await signInWith('Firefox on Linux', email)
  const [mail, ...more] = await noticesTo(email)
  assert.ok(mail)
  assert.deepEqual(more, [])
  const day = new Date(service.clock.now()).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  assert.match(
    flowingText(mail),
    new RegExp(
      `On ${day} at \\d\\d:\\d\\d UTC somebody signed in to your account with a sign-in link, from Firefox on Linux, network 127\\.0\\.0\\.0/24\\. `,
    ),
  )
  assert.match(flowingText(mail), /https:\/\/app\.example\/account/)
  assert.match(buttonIn(mail, 'not-me'), /^[\w-]{20,}$/)
  assert.doesNotMatch(`${mail.message.text}${mail.message.html}`, /127\.0\.0\.1\b(?!:)|\/auth\/verify|eyJ/)
})

test('the notice is in the language of the sign-in that it reports', async () => {
  const email = 'bob@gmail.com'
  await signInWith('Chrome on Windows', email)
  const credential = service.issuer.sign(service.issuer.claims({ sub: 'bob', email }))
  const headers = headersOf('Firefox on Linux', 'ro')
  assert.equal((await service.call('POST /auth/google/onetap', { headers, body: { credential } })).status, 200)
  const [mail] = await noticesTo(email, 'Autentificare nouă în contul tău')
  assert.ok(mail)
  assert.match(
    flowingText(mail),
    /UTC cineva s-a autentificat în contul tău cu Google, din Firefox pe Linux, rețeaua 127\.0\.0\.0\/24\. .* Dacă ai fost tu, nu ai nimic de făcut\./,
  )
  assert.doesNotMatch(flowingText(mail), /\b(somebody|browser had|on Linux)\b/)
})

test('one mail names several new browsers while it waits, and no known one', async () => {
  const email = 'cia@gmail.com'
  await signInWith('Chrome on Windows', email)
  await recipientsOf(service)
  isRefusing = true
  for (const agent of ['Firefox on Linux', 'Chrome on Windows', 'Safari on iOS'] as const) {
    const credential = service.issuer.sign(service.issuer.claims({ sub: 'cia', email }))
    const answer = await service.call('POST /auth/google/onetap', { headers: headersOf(agent), body: { credential } })
    assert.equal(answer.status, 200)
  }
  await until(async () => {
    const queued = await service.db.query.selectFrom('queued_mails').selectAll().where('email', '=', email).execute()
    // A mail that a newer one has replaced may still be on its way.
    return queued.every((mail) => mail.attempts > 0 && mail.leased_until_ms === null) && !service.isSending()
  }, 'an attempt at each mail has failed')
  isRefusing = false
  service.clock.advance(DAY_MS / 24)
  service.deps.mailer.wake()
  const [mail, ...more] = await noticesTo(email)
  assert.ok(mail)
  assert.deepEqual(more, [])
  assert.deepEqual(
    flowingText(mail).match(/with Google, from [^,]+/g),
    ['Firefox on Linux', 'Safari on iOS'].map((agent) => `with Google, from ${agent}`),
  )
})

test('an unproven address gets no notice, and neither does the first sign-in after the claim', async () => {
  const email = 'dan@example.com'
  assert.equal((await service.call('POST /auth/api/signup', { body: { email } })).status, 201)
  await signInWith('Chrome on Windows', email)
  assert.deepEqual(await noticesTo(email), [])
  const third = 'eva@third.example'
  for (const agent of ['Chrome on Windows', 'Firefox on Linux'] as const) {
    const credential = service.issuer.sign(service.issuer.claims({ sub: 'eva', email: third }))
    const answer = await service.call('POST /auth/google/onetap', { headers: headersOf(agent), body: { credential } })
    assert.equal(answer.status, 200)
  }
  assert.deepEqual(await noticesTo(third), [])
})

test('a browser is new once the events that knew it are deleted, also soon after the claim', async () => {
  const email = 'fay@example.com'
  await signInWith('Chrome on Windows', email)
  service.clock.advance(31 * DAY_MS)
  await upkeep(service.deps)
  await signInWith('Firefox on Linux', email)
  assert.equal((await noticesTo(email)).length, 1)
})

test('a pause of mails does not delay the notice', async () => {
  const email = 'gil@example.com'
  await signInWith('Chrome on Windows', email)
  await pauseMail(service, email)
  service.clock.advance(1000)
  const { link } = await signInMail(service, email)
  assert.equal((await verify(service, link, { headers: headersOf('Firefox on Linux') })).status, 200)
  assert.equal((await noticesTo(email)).length, 1)
})
