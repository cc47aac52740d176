/** Requests that Node.js would answer itself, or that follow another on one connection. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendBytes, sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('an unknown expectation is answered like any other request', async () => {
  const answer = await sendRaw(service.origin, ['GET /healthz HTTP/1.1', 'Expect: 200-maybe'])
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
})

test('garbage after a request never replaces its answer [F37, CVE-2024-22019]', async () => {
  const body = JSON.stringify({ email: 'pipelined@example.com' })
  const request = [
    'POST /api/v1/auth/request HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  const answer = await sendBytes(service.origin, `${request}GARBAGE\r\n\r\n`)
  assert.ok(Number.isNaN(answer.status) || answer.status === 200, `answered ${answer.status}`)
})
