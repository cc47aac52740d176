/** The service's own address comes from its settings; no request, not even the first, changes it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { linkIn } from '../../../support/mail/smtp.ts'
import { read } from '../../../support/accounts/tokens.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const EVIL = 'evil.example'
const forwarded = [
  `X-Forwarded-Host: ${EVIL}`,
  'X-Forwarded-Proto: https',
  'X-Forwarded-Prefix: /evil',
  `Forwarded: host=${EVIL};proto=https`,
  `X-Original-Host: ${EVIL}`,
]

test('hostile first requests change neither mailed links, nor tokens, nor answers [GHSA-569q-mpph-wgww]', async () => {
  // The first request that this service receives.
  const first = await sendRaw(service.origin, [
    `GET http://${EVIL}/evil/api/v1/auth/verify?token=x HTTP/1.1`,
    `Host: ${EVIL}`,
    ...forwarded,
  ])
  assert.equal(first.status, 404)
  for (const target of [
    '/evil/api/v1/auth/request',
    '//evil.example/api/v1/auth/request',
    `http://${EVIL}/api/v1/auth/config`,
    '/api/v1/openapi.json',
    '/confirm',
    '/',
    '*',
  ]) {
    for (const host of [
      EVIL,
      `${EVIL}:443`,
      `user@${EVIL}`,
      '',
      '[::1]',
      'a b',
      'a'.repeat(5000),
      '%00',
      `${EVIL}/x?y#z`,
    ]) {
      const answer = await sendRaw(service.origin, [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...forwarded])
      assert.ok(answer.status < 500, `${target} ${host}: ${answer.status}`)
      assert.doesNotMatch(`${answer.text}${[...answer.headers].join()}`, /evil/, `${target} ${host}`)
    }
  }
  const asked = await sendRaw(
    service.origin,
    ['POST /api/v1/auth/request HTTP/1.1', `Host: ${EVIL}`, 'Content-Type: application/json', ...forwarded],
    '{"email":"ana@example.com"}',
  )
  assert.equal(asked.status, 200)

  const mail = await service.smtp.mailTo('ana@example.com')
  assert.doesNotMatch(JSON.stringify(mail), /evil/)
  const link = linkIn(mail)
  assert.equal(link.origin, service.origin)
  const { token } = (await service.call(`GET /auth/verify${link.search}`)).body
  const { claims } = read(token)
  assert.deepEqual([claims['iss'], claims['aud']], [service.origin, service.baseUrl])
  assert.equal((await service.call('GET /users/me', { token })).status, 200, 'other calls are served')
})
