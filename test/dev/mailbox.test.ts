import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { createDevelopmentMailbox } from '../../src/dev/mailbox.ts'
import type { DevelopmentMailbox } from '../../src/dev/mailbox.ts'
import type { App } from '../../src/http/endpoint.ts'
import { assertError } from '../support/http/answers.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const never = new AbortController().signal

let service: Service
let mailbox: DevelopmentMailbox
let app: App
let origin: string
before(async () => {
  service = await startService()
  mailbox = createDevelopmentMailbox(service.clock)
  app = await buildApp(service.deps, mailbox.addPages)
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
after(async () => {
  await app.close()
  await service.close()
})

const get = (path: string, ...fields: string[]) => sendRaw(origin, [`GET ${path} HTTP/1.1`, ...fields])
const send = (html: string) => mailbox.transport.send({ to: 'ana@example.com', subject: 'S', text: html, html }, never)
const newestPath = async () => /\/dev\/mailbox\/\d+/.exec((await get('/dev/mailbox')).text)?.[0] ?? ''
const hostile = `</pre></iframe><script>alert(1)</script>"'><img src=x onerror=alert(1)>`

describe('the mailbox page', () => {
  test('shows received mails, newest first, with working links', async () => {
    const link = 'http://localhost:3000/api/v1/auth/verify?token=abc&x=1'
    for (const subject of ['First', 'Second']) {
      await mailbox.transport.send({ to: 'ana@example.com', subject, text: `Open ${link}`, html: '' }, never)
    }
    const { status, headers, text } = await get('/dev/mailbox')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.ok(text.indexOf('<h2>Second</h2>') < text.indexOf('<h2>First</h2>'))
    assert.ok(text.includes(`<a href="${link.replace('&', '&amp;')}"`))
    assert.ok(text.includes('To ana@example.com'))
  })

  test('runs no script, whatever a mail contains', async () => {
    const text = `${hostile} http://x/"onclick="y`
    await mailbox.transport.send({ to: hostile, subject: hostile, text, html: '' }, never)
    const { headers, text: page } = await get('/dev/mailbox')
    assert.doesNotMatch(page, /<script|<img|onclick="|<\/pre><\/iframe>/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /script-src|unsafe/)
  })
})

describe('the page of a single mail', () => {
  test('is sandboxed: no script, and nothing loaded from elsewhere', async () => {
    await send('<p>Hello</p>')
    const { status, headers, text } = await get(await newestPath())
    assert.equal(status, 200)
    assert.ok(text.endsWith('<p>Hello</p>'))
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^sandbox (?!.*allow-(scripts|same-origin|forms))/)
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'self'/)
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
  })

  test('is 404 for an unknown mail', async () => {
    for (const id of ['0', '-1', '999', '1.0', '01', '1e0', 'NaN', '__proto__', 'length', '%31%00', ' ']) {
      const { status } = await get(`/dev/mailbox/${encodeURIComponent(id)}`)
      assert.equal(status, 404, id)
    }
  })

  test('keeps its URL while newer mails arrive, up to a hundred', async () => {
    await send('the one')
    const path = await newestPath()
    for (let n = 1; n <= 99; n += 1) await send(`newer ${n}`)
    assert.ok((await get(path)).text.endsWith('the one'))
    await send('newer 100')
    assertError(await get(path), 'NOT_FOUND')
    assert.equal((await get('/dev/mailbox')).text.match(/<article>/g)?.length, 100)
  })
})

describe('a host name under foreign control (DNS rebinding)', () => {
  test('gets 404 on both pages', async () => {
    await send('secret')
    const own = await newestPath()
    for (const host of [
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example:3000',
      '127.0.0.1.evil.example',
      'evil.example#localhost',
      'localhost@evil.example',
      'localhost:3000.evil.example',
      '0.0.0.0:3000',
      '[::]:3000',
      '',
    ]) {
      for (const path of ['/dev/mailbox', own]) {
        const answer = await get(path, `Host: ${host}`)
        assert.ok(answer.status === 404 || answer.status === 400, `${host} got ${answer.status}`)
        assert.doesNotMatch(answer.text, /secret|ana@/)
      }
    }
    const withoutHost = await sendRaw(origin, ['GET /dev/mailbox HTTP/1.0', 'Host: '])
    assert.doesNotMatch(withoutHost.text, /secret|ana@/)
  })

  test('gets 404 with forwarding headers too', async () => {
    const forwarded = ['X-Forwarded-Host: localhost', 'Forwarded: host=localhost']
    const answer = await get('/dev/mailbox', 'Host: evil.example', ...forwarded)
    assertError(answer, 'NOT_FOUND')
  })

  test('does not include the loopback names, which all work', async () => {
    for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000', '[::1]']) {
      assert.equal((await get('/dev/mailbox', `Host: ${host}`)).status, 200, host)
    }
  })
})

// In production: test/attacks/dev/mailbox.test.ts.
test('with an SMTP server there is no mailbox', async () => {
  for (const path of ['/dev/mailbox', '/dev/mailbox/1']) {
    const answer = await sendRaw(service.origin, [`GET ${path} HTTP/1.1`, 'Host: localhost'])
    assertError(answer, 'NOT_FOUND')
  }
})
