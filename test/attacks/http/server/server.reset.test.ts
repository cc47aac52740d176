/** A caller who resets the connection is known by its address all the same. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

/** Sends a whole request and resets the connection, without waiting for the answer. */
function sendAndReset(target: string, token: string, body: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { port } = new URL(service.origin)
  const socket = connect(Number(port), '127.0.0.1', () => {
    const head = [
      `${target} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy())
  })
  socket.on('close', () => resolve())
  return promise
}

test('writes of callers who reset the connection are done, and leave no error', async () => {
  const { token } = await service.signUp('ana@example.com')
  for (let n = 0; n < 10; n += 1) await sendAndReset('POST /api/v1/auth/api-keys', token, '{"name":"Reset"}')
  await until(async () => (await service.call('GET /auth/api-keys', { token })).body.apiKeys.length > 1)
  assert.deepEqual(
    service.logLines.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
})
