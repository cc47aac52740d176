import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { textAtRest } from '../support/database/at-rest.ts'
import { buttonIn, pauseMail, press, signInMail } from '../support/mail/buttons.ts'
import type { Button } from '../support/mail/buttons.ts'
import { createKey } from '../support/accounts/keys.ts'
import { startMailing, until } from '../support/mail/mailing.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { linkIn } from '../support/mail/smtp.ts'
import type { ReceivedMail } from '../support/mail/smtp.ts'
import { recipientsOf } from '../support/database/state.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService({ APP_URL: 'https://app.example', LOG_LEVEL: 'debug' })
})
after(() => service.close())

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The stored row of a mail's button. */
async function storedButton(mail: ReceivedMail, button: Button = 'not-me') {
  return service.db.query
    .selectFrom('mail_buttons')
    .selectAll()
    .where('token_hash', '=', hashOf(buttonIn(mail, button)))
    .executeTakeFirst()
}

/** One mail of every kind to an address, in a language. */
async function mailsOfEveryKind(email: string, language: string): Promise<ReceivedMail[]> {
  const headers = { 'accept-language': language }
  await service.call('POST /auth/api/signup', { body: { email }, headers })
  const news = await service.smtp.mailTo(email)
  await service.call('POST /auth/request', { body: { email }, headers })
  const signIn = await service.smtp.mailTo(email)
  const { body } = await service.call(`GET /auth/verify${linkIn(signIn).search}`, { headers })
  await createKey(service, body.token)
  const notice = await service.smtp.mailTo(email)
  await recipientsOf(service)
  return [news, signIn, notice]
}

test('a mail of every kind has a not-me button in both parts and both languages, on a page of our own origin', async () => {
  const words = { en: ['Not you?', 'This wasn’t me'], ro: ['Nu ai fost tu?', 'Nu am fost eu'] }
  const kinds = []
  for (const [language, [question, button]] of Object.entries(words)) {
    for (const mail of await mailsOfEveryKind(`${language}@example.com`, language)) {
      const { text = '', html = '' } = mail.message
      const link = linkIn(mail, '/not-me').href
      assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/not-me#token=[\w-]{43}$/)
      assert.ok(link.startsWith(service.origin), 'the page is not on the frontend’s origin')
      assert.ok(text.includes(`${question} ${button}:\n${link}\n`), text)
      assert.ok(html.includes(`${question} <a class="link" href="${link}" style="color:#3b4fe0">${button}</a>`), html)
      kinds.push((await storedButton(mail))?.mail_kind)
    }
  }
  const every = ['signup_notice', 'sign_in', 'security_notice']
  assert.deepEqual(kinds, [...every, ...every])
})

test('each token is new, 32 bytes, stored as its SHA-256 for a week, unused, with what its mail reports', async () => {
  const every = await mailsOfEveryKind('ana@example.com', 'en')
  const again = await signInMail(service, 'ana@example.com')
  const mails = [...every, again.mail]
  const tokens = mails.map((mail) => buttonIn(mail, 'not-me'))
  assert.equal(new Set(tokens).size, 4)
  const nowMs = service.clock.now()
  for (const mail of mails) {
    const stored = await storedButton(mail)
    const common = { action: 'not_me', email: 'ana@example.com', used_at_ms: null }
    const times = { mailed_at_ms: nowMs, expires_at_ms: nowMs + WEEK_MS }
    assert.deepEqual({ ...stored, ...common, ...times }, { ...stored })
    const { kind, link } = { kind: stored?.mail_kind, link: linkIn(mail).searchParams.get('token') }
    assert.equal(stored?.link_hash, kind === 'sign_in' ? hashOf(link ?? '') : null)
    assert.equal(stored?.sign_in_id === null, mail !== every[1], 'the sign-in that used the link')
    assert.equal(stored?.tells_since_ms, kind === 'security_notice' ? nowMs : null)
  }
})

test('no token of a button is in the database or the log', async () => {
  const email = 'bob@example.com'
  await pauseMail(service, email)
  const { mail, notMe } = await signInMail(service, email)
  const tokens = [notMe, buttonIn(mail, 'resume-mail')]
  for (const button of ['resume-mail', 'not-me'] as const) {
    assert.equal((await press(service, button, buttonIn(mail, button))).status, 200)
  }
  const written = await textAtRest(service.db)
  for (const token of tokens) {
    for (const text of [written, service.logLines.join('')]) assert.equal(text.includes(token), false)
    assert.equal(written.includes(hashOf(token)), true, 'control: the hash is stored')
  }
  assert.match(service.logLines.join(''), /"mail sent"/)
})

test('the end of a pause is offered above the not-me, in both parts, only to a paused address', async () => {
  const email = 'cia@example.com'
  const { mail: unpaused } = await signInMail(service, email)
  await press(service, 'not-me', buttonIn(unpaused, 'not-me'))
  const { mail } = await signInMail(service, email)
  assert.equal(unpaused.raw.includes('resume-mail'), false)
  const { text = '', html = '' } = mail.message
  const inOrder = /\/auth\/verify\?[^]*\/resume-mail#token=[^]*\/not-me#token=/
  for (const part of [text, html]) assert.match(part, inOrder)
  assert.match(linkIn(mail, '/resume-mail').href, /^http:\/\/127\.0\.0\.1:\d+\/resume-mail#token=[\w-]{43}$/)
  assert.notEqual(buttonIn(mail, 'resume-mail'), buttonIn(mail, 'not-me'))
  const stored = await storedButton(mail, 'resume-mail')
  assert.deepEqual([stored?.action, stored?.email, stored?.link_hash], ['resume_mail', email, null])
})

test('a mail that may have arrived is sent again with another token; both tokens work', async (t) => {
  let answers = 0
  const mailing = await startMailing({
    beforeAnswer: async () => {
      if (answers++ === 0) return Object.assign(new Error('later'), { responseCode: 451 })
      return undefined
    },
  })
  t.after(() => mailing.close())
  mailing.queue.start()
  await mailing.enqueue({ email: 'ana@example.com' })
  mailing.queue.wake()
  const first = await mailing.smtp.mailTo('ana@example.com')
  await until(async () => (await mailing.waiting())[0]?.leased_until_ms === null)
  mailing.clock.advance(2000)
  mailing.queue.wake()
  const second = await mailing.smtp.mailTo('ana@example.com')
  const hashes = [first, second].map((mail) => hashOf(buttonIn(mail, 'not-me')))
  const stored = await mailing.db.query.selectFrom('mail_buttons').select('token_hash').execute()
  assert.deepEqual(stored.map((row) => row.token_hash).toSorted(), hashes.toSorted())
  assert.notEqual(hashes[0], hashes[1])
})
