import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '../../../support/files.ts'
import { startCallLoop } from '../../../support/process/resources.ts'
import { queryDatabase, serveIn } from '../../../support/process/served.ts'
import type { Served } from '../../../support/process/served.ts'

// Just under the limit of an account's events, since the test adds some; recent, so the upkeep keeps them.
const EVENTS = 90_000
const folder = temporaryFolder()
let served: Served
let token: string

before(async () => {
  // Less memory than all the events need at once: a process that held them would crash.
  served = await serveIn(folder.path, { NODE_OPTIONS: '--max-old-space-size=64' })
  const answer = await served.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })
  assert.equal(answer.status, 201, answer.text)
  token = answer.body.token
  await queryDatabase(
    folder.path,
    `
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${EVENTS})
    insert into security_events (id, user_id, type, at_ms, client, api_key_id, detail, times)
    select 'event-' || n, (select id from users), 'exchange_refused', ${Date.now() - 3_600_000} + n / 7,
      '2001:db8:1:2::/64', (select id from api_keys), 'WRONG_SECRET', n from numbers
  `,
  )
})
after(async () => {
  await served.stop()
  folder.remove()
})

test('90,000 events are exported once each, newest first, in 64 MB, while other calls are served', async () => {
  const startMs = performance.now()
  const stop = startCallLoop(served, token)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${served.baseUrl}/users/me/export`, { headers })
  const text = await response.text()
  const tookMs = performance.now() - startMs
  const { calls, slowestMs } = await stop()
  assert.equal(response.status, 200)
  const { events } = JSON.parse(text) as { events: { id: string; type: string; at: string }[] }
  // With the signup and this export.
  assert.equal(events.length, EVENTS + 2)
  assert.equal(new Set(events.map(({ id }) => id)).size, EVENTS + 2)
  assert.equal(events[0]?.type, 'exported')
  assert.deepEqual(
    events.map(({ at }) => at),
    events
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  // If the export blocked the event loop, one call would wait for nearly all of it.
  assert.ok(calls >= 4 && slowestMs < tookMs / 2, `${calls} calls, the slowest ${slowestMs} of ${tookMs} ms`)
})

test('backpressure: the service reads no further while the client does not read', async () => {
  const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
  socket.write(
    `GET /api/v1/users/me/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  )
  let text = ''
  socket.setEncoding('utf8')
  await new Promise<void>((resolve) => {
    socket.once('data', (chunk: string) => {
      text += chunk
      socket.pause()
      resolve()
    })
  })
  // These calls are answered once the service has filled the buffers and waits.
  for (let n = 0; n < 50; n += 1) assert.equal((await served.call('GET /users/me', { token })).status, 200)
  await queryDatabase(folder.path, "delete from security_events where type = 'exchange_refused'")
  socket.on('data', (chunk: string) => (text += chunk))
  await new Promise((resolve) => socket.once('close', resolve).resume())
  const read = text.split('"WRONG_SECRET"').length - 1
  assert.ok(read >= 500 && read < EVENTS, `${read} events`)
  assert.match(text, /"mailPause":null\}?\r?\n?/, 'the end of the answer is there')
})
