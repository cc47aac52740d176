/** `POST /users/me/email` with production limits: mail is bounded, and no owner is kept from signing in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { countMailsTo } from '../../../support/mail/buttons.ts'
import { verify } from '../../../support/mail/links.ts'
import { linkIn, MAIL_WITHIN_MS } from '../../../support/mail/smtp.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
before(async () => void (service = await startService(productionLimits)))
after(() => service.close())

async function signInFrom(ip: string, email: string): Promise<string> {
  const asked = await service.call('POST /auth/request', { body: { email }, headers: from(ip) })
  assert.equal(asked.status, 200, asked.text)
  const mail = await service.smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')
  const link = linkIn(mail, '/auth/verify?').searchParams.get('token') ?? ''
  return (await verify(service, link)).body.token
}

const ask = (token: string, email: string, ip: string) =>
  service.call('POST /users/me/email', { token, body: { email }, headers: from(ip) })

test('strangers who ask for changes to an address do not keep its owner from signing in', async () => {
  const victim = 'ana@example.com'
  await signInFrom('192.0.2.1', victim)
  service.clock.advance(60 * 60_000)
  const statuses: number[] = []
  for (const stranger of ['eve', 'mal']) {
    const token = await signInFrom('198.51.100.1', `${stranger}@evil.example`)
    for (let n = 0; n < 5; n += 1) statuses.push((await ask(token, victim, `198.51.${n}.2`)).status)
  }
  assert.deepEqual(statuses, [...Array(5).fill(202), ...Array(5).fill(429)], 'of one address, over all networks')
  assert.ok((await countMailsTo(service, victim)) <= 5)
  // At once, from any network, also the strangers' own.
  assert.ok(await signInFrom('198.51.0.2', victim))
})

test('five changes an hour by one person, and thirty in fifteen minutes from one network', async () => {
  const token = await signInFrom('192.0.2.2', 'bob@example.com')
  for (let n = 0; n < 5; n += 1) assert.equal((await ask(token, `bob-${n}@example.com`, `203.0.${n}.1`)).status, 202)
  const sixth = await ask(token, 'bob-6@example.com', '203.0.9.1')
  assertError(sixth, 'RATE_LIMITED')
  assert.match(sixth.headers.get('ratelimit') ?? '', /"email-changes";r=0/)
  assert.equal(await countMailsTo(service, 'bob-6@example.com'), 0)
  assert.match(sixth.headers.get('ratelimit-policy') ?? '', /"email-changes-client";q=30;w=900/)
  assert.doesNotMatch(sixth.headers.get('ratelimit-policy') ?? '', /request|address/)
})
