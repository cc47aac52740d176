import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { flowingText, linkIn } from '../../support/mail/smtp.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const APP_URL = 'https://app.example/sign-in'
let service: Service

before(async () => {
  service = await startService({ APP_URL })
})
after(() => service.close())

test('no text of the caller is in either part or any header of the mail', async () => {
  const planted = [
    '<a href="https://evil.example">Click</a>',
    '"><img src=//evil.example/x>',
    'Bcc: eve@evil.example',
    '=?utf-8?q?evil?=',
    '${evil} {{evil}} $& %0d%0aevil',
    'evil '.repeat(20).trim(),
  ]
  for (const [index, text] of planted.entries()) {
    const email = `ana${index}@example.com`
    const body = { email, name: text, keyName: text }
    assert.equal((await service.call('POST /auth/api/signup', { body })).status, 201)
    const mail = await service.smtp.mailTo(email)
    assert.deepEqual(mail.to, [email])
    const { subject, text: plain, html } = mail.message
    assert.doesNotMatch(`${mail.raw}${subject}${plain}${html}`, /evil|Click|img/i)
  }
})

test('the mail states the time and the network, links to the frontend and its not-me page, and contains no other token or key', async () => {
  const { body } = await service.call('POST /auth/api/signup', { body: { email: 'bob@example.com' } })
  const mail = await service.smtp.mailTo('bob@example.com')
  const { message, raw } = mail
  const inUtc = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const minute = new Date(service.clock.now()).toLocaleString('en-GB', inUtc)
  assert.match(flowingText(mail), /A program created an account/)
  assert.match(message.text ?? '', new RegExp(`\nWhen: ${minute} UTC\nNetwork: 127\\.0\\.0\\.0/24\n`))
  const notMe = linkIn(mail, '/not-me#').href
  assert.deepEqual([...new Set(message.text?.match(/https?:\S+/g))], [APP_URL, notMe])
  assert.deepEqual([...new Set(message.html?.match(/https?:[^"<\s]+/g))], [APP_URL, notMe])
  for (const secret of [body.keySecret, body.token, body.apiKey.keyId, body.apiKey.id, body.user.id]) {
    assert.equal(`${raw}${message.text}${message.html}`.includes(secret), false)
  }
})

test('the mail is in the language of the request', async () => {
  const headers = { 'accept-language': 'ro' }
  await service.call('POST /auth/api/signup', { body: { email: 'cia@example.com' }, headers })
  const { message } = await service.smtp.mailTo('cia@example.com')
  assert.equal(message.subject, 'A fost creat un cont cu adresa ta')
})
