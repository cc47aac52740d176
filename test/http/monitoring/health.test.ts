/** `/healthz`: the process runs. `/readyz`: it can serve, so neither while closing nor without its database. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { assertError, assertSecurityHeaders } from '../../support/http/answers.ts'
import { clusterUrl } from '../../support/database/database.ts'
import { onGuardConnection } from '../../support/postgres/guard-connection.ts'
import { sendRaw, toAnswer, untilClosed } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

async function start(t: TestContext): Promise<Service> {
  const service = await startService({ LOG_LEVEL: 'error' })
  t.after(() => service.close())
  return service
}

const ask = ({ origin }: Service, path: string) => sendRaw(origin, [`GET ${path} HTTP/1.1`])

test('both answer 200 without a token while the service can serve, and are not cacheable', async (t) => {
  const service = await start(t)
  for (const path of ['/healthz', '/readyz']) {
    const answer = await ask(service, path)
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"status":"ok"}')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const head = await sendRaw(service.origin, [`HEAD ${path} HTTP/1.1`])
    assert.deepEqual([head.status, head.text], [200, ''])
  }
})

test('while closing, requests on open connections get 503 from /readyz', async (t) => {
  const service = await start(t)
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  const received = untilClosed(socket)
  const halfArrived = once(service.app.server, 'connection')
  socket.write('GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  const [serverSide] = await halfArrived
  while (serverSide.bytesRead === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  const closed = service.app.close()
  while (service.app.server.listening) await new Promise((resolve) => setTimeout(resolve, 1))
  socket.write('\r\n')
  const answer = toAnswer(await received)
  assertError(answer, 'UNAVAILABLE', 'This process is shutting down.')
  assertSecurityHeaders(answer)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal(answer.headers.get('connection'), 'close')
  await closed
})

test('without its database the process is alive and not ready, and only the log has the cause', async (t) => {
  const service = await start(t)
  await service.db.close()
  assert.equal((await ask(service, '/healthz')).status, 200)
  const answer = await ask(service, '/readyz')
  assertError(answer, 'UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.doesNotMatch(answer.text, /destroyed|not open|driver/)
  assert.ok(
    service.logLines.some(
      (line) => /destroyed|not open/.test(line) && line.includes(answer.headers.get('x-request-id') ?? '?'),
    ),
  )
})

test(
  'with a standby instead of its database the process is alive and not ready, until the primary is back [F10]',
  {
    skip: clusterUrl === undefined && 'the embedded database has no standby',
  },
  async (t) => {
    const service = await start(t)
    assert.equal((await ask(service, '/readyz')).status, 200)
    // As behind a pooler: the connection stays, and the server behind it changes.
    await onGuardConnection(service.db, (db) =>
      sql`set session characteristics as transaction read only`.execute(db.query),
    )
    assert.equal((await ask(service, '/healthz')).status, 200)
    assertError(await ask(service, '/readyz'), 'UNAVAILABLE')
    await onGuardConnection(service.db, (db) =>
      sql`set session characteristics as transaction read write`.execute(db.query),
    )
    assert.equal((await ask(service, '/readyz')).status, 200)
  },
)
