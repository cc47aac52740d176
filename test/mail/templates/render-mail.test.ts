import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { render } from '../../../src/mail/templates/render-mail.ts'
import { linkIn } from '../../support/mail/smtp.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const link = 'https://auth.example.com/api/v1/auth/verify?token=abc&x="<>\''
const escapedLink = 'https://auth.example.com/api/v1/auth/verify?token=abc&amp;x=&quot;&lt;&gt;&#39;'

describe('render', () => {
  const links = { main: link, notMe: 'https://auth.example.com/not-me#token=n' }
  const words = {
    en: { subject: 'Hello', before: ['Before & more'], button: 'Press', after: ['After'] },
    ro: { subject: 'Salut', before: ['Înainte & mai mult'], button: 'Apasă', after: ['După'] },
  }

  test('puts the main link first in both parts, escaped in HTML, and no other links than the buttons', () => {
    for (const locale of ['en', 'ro']) {
      const { text, html } = render(locale, words, links)
      assert.deepEqual(text.match(/https?:\S+/g), [link, links.notMe])
      assert.equal(html.split(escapedLink).length, 3)
      assert.equal(html.split(links.notMe).length, 2, 'a link in words')
      assert.equal(html.match(/https?:/g)?.length, 3)
      assert.doesNotMatch(html, /<(script|img|link|iframe|form)|src=|url\(/i)
      assert.doesNotMatch(html, />P</, 'no mark other than the product’s')
      assert.match(html, / &amp; m/)
    }
  })

  test('offers the end of a pause only when there is one', () => {
    const resume = 'https://auth.example.com/resume-mail#token=r'
    const { text, html } = render('en', words, { ...links, resume })
    assert.deepEqual(text.match(/https?:\S+/g), [link, resume, links.notMe])
    assert.match(text, /paused/)
    assert.ok(html.includes(resume))
    assert.doesNotMatch(render('en', words, links).text, /paused/)
  })

  test('uses English or Romanian, and English for an unknown language', () => {
    assert.match(render('ro', words, links).html, /<html lang="ro">[^]*Apasă[^]*Nu ai fost tu/)
    for (const locale of ['de', '', 'EN', '__proto__', 'constructor']) {
      assert.deepEqual(render(locale, words, links), render('en', words, links))
    }
  })
})

describe('a delivered mail', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  test('is in the language that the request asks for', async () => {
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

  test('to an unproven address contains nothing that the caller wrote', async () => {
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

  test('has a link made from PUBLIC_URL, whatever host the caller sends', async () => {
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
