import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBoundedFetch } from '../../../src/lib/bounded-fetch.ts'
import {
  bomb,
  gigabyte,
  hangs,
  redirects,
  answerWith,
  stopsHalfway,
  tricklesBody,
  tricklesHeaders,
} from '../../support/wire/hostile-answers.ts'
import { serving } from '../../support/http/serving.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const BOUND_MS = 3000
/** Allowance for ending a call. */
const LATE_MS = 2500
/** Timers may fire slightly early against another clock. */
const EARLY_MS = 50
const [MAX_CALLS, MAX_PER_CLIENT] = [100, 5]
/** Bytes that may be in transit when a connection is closed: the buffers of both sides. */
const IN_TRANSIT_BYTES = 16 * 1024 ** 2

async function millisecondsOf(work: () => Promise<unknown>) {
  const startMs = performance.now()
  const tookMs = stopwatch()
  await work()
  return { wallMs: performance.now() - startMs, ms: tookMs() }
}

describe('a slow server', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody, stopsHalfway })) {
    test(`that ${name} is abandoned after three seconds in total [F27]`, async (t) => {
      const server = await serving(t, handler)
      const { wallMs, ms } = await millisecondsOf(() =>
        assert.rejects(createBoundedFetch()(server.url), { name: 'TimeoutError' }),
      )
      assert.ok(
        wallMs > BOUND_MS - EARLY_MS && ms < BOUND_MS + LATE_MS,
        `${wallMs} ms, ${ms} of them not waiting for a processor`,
      )
      await server.untilLeft()
    })
  }

  test('is abandoned in time even if garbage collection runs meanwhile', async (t) => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const server = await serving(t, tricklesBody)
    const collecting = setInterval(gc, 100)
    t.after(() => clearInterval(collecting))
    await assert.rejects(createBoundedFetch()(server.url), { name: 'TimeoutError' })
    await server.untilLeft()
  })

  test(`holds at most ${MAX_CALLS} clients’ calls, ${MAX_PER_CLIENT} of each; further ones fail at once and succeed later`, async (t) => {
    const server = await serving(t, hangs)
    const healthy = await serving(t, answerWith('{}'))
    const fetchBounded = createBoundedFetch()
    const hold = (client: string) => assert.rejects(fetchBounded(server.url, { client }), { name: 'TimeoutError' })
    const refused = (client: string) => assert.rejects(fetchBounded(healthy.url, { client }), /too many/)

    const held = Array.from({ length: MAX_PER_CLIENT }, () => hold('client-0'))
    await refused('client-0')
    assert.equal((await fetchBounded(healthy.url, { client: 'other' })).status, 200)
    for (let n = MAX_PER_CLIENT; n < MAX_CALLS; n++) held.push(hold(`client-${Math.floor(n / MAX_PER_CLIENT)}`))
    const { ms } = await millisecondsOf(() => refused('other'))
    assert.ok(ms < BOUND_MS / 2, `${ms} ms`)
    // Calls without a client, such as those for keys, do not wait for clients' calls.
    assert.equal((await fetchBounded(healthy.url)).status, 200)

    await Promise.all(held)
    assert.equal((await fetchBounded(healthy.url, { client: 'client-0' })).status, 200)
    assert.equal(healthy.requests.length, 3)
    // On a busy machine some held calls end before they are connected.
    assert.ok(server.requests.length <= MAX_CALLS)
    await server.untilLeft()
  })
})

describe('an answer', () => {
  test('of a gigabyte is read only up to the limit, and its connection is closed [F27, CVE-2024-22025]', async (t) => {
    let sent = 0
    const server = await serving(
      t,
      gigabyte((bytes) => (sent += bytes)),
    )
    await assert.rejects(createBoundedFetch()(server.url), /too large/)
    await server.untilLeft()
    assert.ok(sent < IN_TRANSIT_BYTES, `${sent} bytes were sent`)
  })

  for (const coding of ['gzip', 'gzip, gzip', 'br'] as const) {
    test(`of 64 MiB in ${coding} is unpacked only up to the limit [F27, CVE-2024-22025]`, async (t) => {
      const server = await serving(t, bomb(coding))
      const { arrayBuffers } = process.memoryUsage()
      await assert.rejects(createBoundedFetch()(server.url), /too large/)
      const grown = process.memoryUsage().arrayBuffers - arrayBuffers
      assert.ok(grown < IN_TRANSIT_BYTES, `${grown} bytes more`)
    })
  }

  test('that is compressed two hundred times, or falsely declared as compressed, is refused [CVE-2024-22025]', async (t) => {
    for (const coding of [Array(200).fill('gzip').join(', '), 'gzip', 'br', 'deflate']) {
      const server = await serving(t, (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end('{"keys":[]}'),
      )
      await assert.rejects(createBoundedFetch()(server.url))
    }
  })

  test('with an oversized header is refused', async (t) => {
    const { url } = await serving(t, (_request, response) =>
      response.writeHead(200, { 'x-large': 'a'.repeat(200_000) }).end('{}'),
    )
    await assert.rejects(createBoundedFetch()(url))
  })

  test('that redirects is returned as it is and never followed', async (t) => {
    const target = await serving(t, answerWith('{}'))
    for (const to of [target.url, 'file:///etc/passwd', 'data:application/json,{}', 'javascript:0', '//']) {
      const { url } = await serving(t, redirects(to))
      const answer = await createBoundedFetch()(url)
      assert.deepEqual([answer.status, answer.text], [302, ''])
    }
    assert.deepEqual(target.requests, [])
  })
})
