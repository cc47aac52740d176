import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { clusterUrl } from '../support/database/database.ts'
import { temporaryFolder } from '../support/files.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'
import { read } from '../support/accounts/tokens.ts'

const PUBLIC_URL = 'https://auth.paylink.example'

describe('production', () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let service: Served
  before(async () => {
    smtp = await startSmtp()
    service = await serveIn(folder.path, {
      NODE_ENV: 'production',
      PUBLIC_URL,
      JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU',
      SMTP_URL: smtp.url,
      RATE_LIMITS: 'on',
      LOG_LEVEL: 'info',
    })
  })
  after(async () => {
    await service.stop()
    await smtp.close()
    folder.remove()
  })

  test('logs that it listens on every interface, its public address, and its mail server', async () => {
    await service.process.waitFor('the SMTP server')
    const said = service.process.output()
    assert.match(said, /listening on 0\.0\.0\.0, port \d+/)
    assert.ok(said.includes(`API     ${PUBLIC_URL}/api/v1\n`), said)
    assert.ok(said.includes('Google  is not configured'), said)
    assert.ok(said.includes(`the SMTP server ${new URL(smtp.url).host}\n`), said)
    assert.doesNotMatch(said, /dev\/mailbox/)
  })

  test('generates no secret', () => {
    if (clusterUrl === undefined) assert.ok(existsSync(join(folder.path, 'data', 'paylink-auth.db')))
    assert.ok(!existsSync(join(folder.path, 'data', 'jwt-secret')))
  })

  test('mails links to its public address and issues tokens for it, whatever Host a request names [M8]', async () => {
    const email = 'ana@example.com'
    const requested = await sendRaw(
      service.origin,
      [
        'POST /api/v1/auth/request HTTP/1.1',
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'Content-Type: application/json',
      ],
      JSON.stringify({ email }),
    )
    assert.equal(requested.status, 200, requested.text)
    const link = linkIn(await smtp.mailTo(email))
    assert.equal(link.origin, PUBLIC_URL)
    const verified = await callAt(service.origin, `GET ${link.pathname}${link.search}`)
    assert.equal(verified.status, 200, verified.text)
    const { token } = verified.body
    const { claims } = read(token)
    assert.deepEqual([claims['iss'], claims['aud']], [PUBLIC_URL, `${PUBLIC_URL}/api/v1`])
    assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
  })

  test('has no development mailbox, and its pages do not link to one', async () => {
    for (const path of ['/dev/mailbox', '/dev/mailbox/1', '/dev/mailbox/', '/dev', '/DEV/mailbox']) {
      assertError(await callAt(service.origin, `GET ${path}`), 'NOT_FOUND')
    }
    const page = await callAt(service.origin, 'GET /')
    assert.equal(page.status, 200)
    assert.match(page.text, /&quot;mailbox&quot;:null/)
    assert.doesNotMatch(page.text, /127\.0\.0\.1|localhost/)
  })

  test('has the documented rate limits, not the higher ones of development', async () => {
    const body = { email: 'twice@example.com' }
    assert.equal((await service.call('POST /auth/request', { body })).status, 200)
    const again = await service.call('POST /auth/request', { body })
    assertError(again, 'RATE_LIMITED')
    assert.ok(Number(again.headers.get('retry-after')) > 0)
    assert.equal((await service.call('POST /auth/request', { body: { email: 'other@example.com' } })).status, 200)
  })
})
