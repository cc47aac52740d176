/** Mails say what they are for in the reader's language, in two parts, and hold nothing a caller wrote. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { escapeHtml, signInMail, signupNoticeMail } from '../../src/mail/templates.ts'
import { linkIn } from '../support/smtp.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const link = 'https://auth.example.com/api/v1/auth/verify?token=abc&x="<>\''
const escapedLink = 'https://auth.example.com/api/v1/auth/verify?token=abc&amp;x=&quot;&lt;&gt;&#39;'
const notice = { madeAtMs: Date.UTC(2026, 10, 21, 10, 5, 59), appUrl: 'https://app.example.com/?a=1&b=2' }

describe('escapeHtml', () => {
  test('leaves nothing that could end a text or a quoted attribute, and loses nothing', () => {
    const anyText = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'a', ';', '#', 'ă') })
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeHtml(text)
        assert.doesNotMatch(escaped, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
        const back = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
        assert.equal(escaped.replace(/&\S+?;/g, (entity) => back[entity as keyof typeof back]), text)
      }),
    )
  })
})

describe('the sign-in mail', () => {
  test('has the link in both parts, escaped in HTML, and nothing else that can be followed', () => {
    for (const locale of ['en', 'ro']) {
      const { text, html } = signInMail(locale, link)
      assert.deepEqual(text.match(/https?:\S+/g), [link])
      assert.equal(html.split(escapedLink).length, 3)
      assert.equal(html.match(/https?:/g)?.length, 2)
      assert.doesNotMatch(html, /<(script|img|link|iframe|form)|src=|url\(/i)
    }
  })

  test('is in English or Romanian, says how long it works and what to do if it was not asked for', () => {
    const en = signInMail('en', link)
    assert.equal(en.subject, 'Your sign-in link')
    assert.match(en.text, /once, within 10 minutes[^]*did not ask for it/)
    assert.match(en.html, /<html lang="en">/)
    const ro = signInMail('ro', link)
    assert.equal(ro.subject, 'Linkul tău de autentificare')
    assert.match(ro.text, /o singură dată, timp de 10 minute[^]*nu l-ai cerut/)
    assert.match(ro.html, /<html lang="ro">/)
  })

  test('in a language that is not known is in English', () => {
    for (const locale of ['de', '', 'EN', '__proto__', 'constructor']) {
      assert.deepEqual(signInMail(locale, link), signInMail('en', link))
    }
  })
})

describe('the notice of a signup', () => {
  test('says when, what happened and what to do, and carries no token', () => {
    const byLocale = { en: 'a program made an account', ro: 'un program a creat un cont' }
    for (const [locale, words] of Object.entries(byLocale)) {
      const { subject, text, html } = signupNoticeMail(locale, notice)
      assert.match(subject, /account was made|creat un cont/)
      assert.ok(text.includes(words) && html.includes(words))
      assert.ok(text.includes('2026-11-21 10:05 UTC') && html.includes('2026-11-21 10:05 UTC'))
      assert.deepEqual(text.match(/https?:\S+/g), [notice.appUrl])
      assert.ok(html.includes('https://app.example.com/?a=1&amp;b=2'))
    }
  })
})

describe('mails as they arrive', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  test('the language is the one the request asks for', async () => {
    const languages: Readonly<Record<string, string>> = {
      'ro-RO,ro;q=0.9,en;q=0.8': 'ro',
      'de, en;q=0.5, ro;q=0.9': 'ro',
      'en-GB': 'en',
      'ro;q=0': 'en',
      'de-DE': 'en',
      '*': 'en',
      ';;;=garbage': 'en',
    }
    for (const [n, [acceptLanguage, language]] of Object.entries(languages).entries()) {
      const email = `reader-${n}@example.com`
      const headers = { 'accept-language': acceptLanguage }
      assert.equal((await service.call('POST /auth/request', { body: { email }, headers })).status, 200)
      const { message } = await service.smtp.mailTo(email)
      assert.match(message.html ?? '', new RegExp(`<html lang="${language}">`), acceptLanguage)
    }
  })

  test('nothing that the caller wrote is in a mail to an address nobody has proven', async () => {
    const body = {
      email: 'victim@example.com',
      name: 'QZXJ <a href="https://evil.example">You won</a>',
      keyName: 'QZXJ https://evil.example {{7*7}} ${7*7} %s',
    }
    const headers = { 'user-agent': 'QZXJ-agent', 'x-request-id': 'QZXJ-id', 'accept-language': 'QZXJ' }
    assert.equal((await service.call('POST /auth/api/signup', { body, headers })).status, 201)
    const { raw, message } = await service.smtp.mailTo(body.email)
    for (const part of [raw, message.subject, message.text, message.html]) {
      assert.doesNotMatch(part ?? '', /QZXJ|evil|\{\{|\$\{/)
    }
  })

  test('the mailed link is made from PUBLIC_URL, whatever host the caller says', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': 'https://evil.example/',
    }
    await service.call('POST /auth/request', { body: { email: 'host@example.com' }, headers })
    const mail = await service.smtp.mailTo('host@example.com')
    assert.equal(linkIn(mail).origin, service.origin)
    assert.equal(linkIn(mail).pathname, '/api/v1/auth/verify')
    assert.doesNotMatch(mail.raw, /evil/)
  })
})
