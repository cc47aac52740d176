import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { textAtRest } from '../../support/database/at-rest.ts'
import { mailedToken } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { linkIn } from '../../support/mail/smtp.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('every mail has a token of its own: 32 bytes, stored as its SHA-256 for ten minutes [M2, M3]', async () => {
  const tokens = []
  for (let n = 0; n < 5; n++) tokens.push(await mailedToken(service, 'ana@example.com'))
  assert.equal(new Set(tokens).size, 5)
  for (const token of tokens) {
    assert.match(token, /^[\w-]{43}$/)
    const hash = createHash('sha256').update(token).digest('hex')
    const row = await service.db.query
      .selectFrom('magic_links')
      .selectAll()
      .where('token_hash', '=', hash)
      .executeTakeFirstOrThrow()
    assert.equal(row.expires_at_ms, service.clock.now() + 600_000)
    assert.equal(row.email, 'ana@example.com')
  }
})

test('no usable secret is in the database or its log, even after the mail is sent [M3]', async () => {
  const token = await mailedToken(service, 'bob@example.com')
  const written = await textAtRest(service.db)
  assert.equal(written.includes(token), false)
  assert.equal(written.includes('bob@example.com'), true, 'control: the address is stored')
})

test('the text and the HTML part have the same links: the sign-in link and its not-me page', async () => {
  await service.call('POST /auth/request', { body: { email: 'cia@example.com' } })
  const mail = await service.smtp.mailTo('cia@example.com')
  const link = linkIn(mail)
  assert.equal(link.origin + link.pathname, `${service.baseUrl}/auth/verify`)
  const addresses = mail.message.html?.match(/https?:[^"<\s]+/g) ?? []
  const both = [link.href, linkIn(mail, `${service.origin}/not-me#token=`).href]
  assert.deepEqual([...new Set(addresses)], both)
  assert.deepEqual(mail.message.text?.match(/https?:\S+/g), both)
})
