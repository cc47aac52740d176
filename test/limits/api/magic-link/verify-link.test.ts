/** `GET /auth/verify` with production limits: guessing ends in 429, and a live link always works. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service

before(async () => {
  service = await startService(productionLimits)
})
after(() => service.close())

const inspect = (token: string, address: string) =>
  service.call('POST /auth/links/inspect', { body: { token }, headers: from(address) })

test('of 100 concurrent guesses 30 are answered and the rest get 429, and a live link still signs in [M15]', async () => {
  const headers = from('192.0.2.1')
  const guesses = Array.from({ length: 100 }, (_, n) => verify(service, `guess ${n}`, { headers }))
  const answers = await Promise.all(guesses)
  assert.equal(answers.filter((answer) => answer.status === 401).length, 30)
  const refused = answers.filter((answer) => answer.status === 429)
  assert.equal(refused.length, 70)
  for (const answer of refused) {
    assertError(answer, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
    assert.match(answer.headers.get('retry-after') ?? '', /^30$/)
  }
  assertError(await verify(service, 'guess', { headers: from('192.0.2.2') }), 'LINK_INVALID')

  const live = await mailedToken(service, 'ana@example.com')
  assert.equal((await inspect(live, '192.0.2.1')).status, 200)
  assert.equal((await verify(service, live, { headers })).status, 200)
  assertError(await verify(service, live, { headers }), 'RATE_LIMITED')
})

test('inspecting a link counts as a guess, and the redirect to /confirm does not', async () => {
  const browser = { ...from('192.0.2.3'), accept: 'text/html' }
  for (let n = 0; n < 40; n++) {
    assert.equal((await verify(service, `guess ${n}`, { headers: browser })).status, 302)
  }
  for (let n = 0; n < 30; n++) {
    assertError(await inspect(`guess ${n}`, '192.0.2.3'), 'LINK_INVALID')
  }
  assertError(await inspect('guess', '192.0.2.3'), 'RATE_LIMITED')
  assertError(await verify(service, 'guess', { headers: from('192.0.2.3') }), 'RATE_LIMITED')
})
