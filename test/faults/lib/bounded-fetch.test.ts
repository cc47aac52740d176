/** Calls to a server that is slow, endless or hostile: each ends in time and size, and its connection with it. */
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
  says,
  stopsHalfway,
  tricklesBody,
  tricklesHeaders,
} from '../../support/http/hostile-answers.ts'
import { serving } from '../../support/http/serving.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const BOUND_MS = 3000
/** What ending it may take, in milliseconds. */
const LATE_MS = 2500
/** Timers may be a little early against another clock. */
const EARLY_MS = 50
const [MOST_CALLS, MOST_OF_ONE] = [100, 5]
/** What may be on its way when a connection is closed, in bytes: buffers of both sides. */
const ON_ITS_WAY = 16 * 1024 ** 2

async function millisecondsOf(work: () => Promise<unknown>) {
  const startMs = performance.now()
  const tookMs = stopwatch()
  await work()
  return { wallMs: performance.now() - startMs, ms: tookMs() }
}

describe('a server that is slow', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries({ hangs, tricklesHeaders, tricklesBody, stopsHalfway })) {
    test(`is left after three seconds in total: it ${name} [F27]`, async (t) => {
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

  test('is left in time also where memory is tidied up meanwhile', async (t) => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const server = await serving(t, tricklesBody)
    const collecting = setInterval(gc, 100)
    t.after(() => clearInterval(collecting))
    await assert.rejects(createBoundedFetch()(server.url), { name: 'TimeoutError' })
    await server.untilLeft()
  })

  test(`holds ${MOST_CALLS} calls for clients at most, and ${MOST_OF_ONE} of one; further ones fail at once, and go again later`, async (t) => {
    const server = await serving(t, hangs)
    const healthy = await serving(t, says('{}'))
    const fetchBounded = createBoundedFetch()
    const hold = (client: string) => assert.rejects(fetchBounded(server.url, { client }), { name: 'TimeoutError' })
    const refused = (client: string) => assert.rejects(fetchBounded(healthy.url, { client }), /too many/)

    const held = Array.from({ length: MOST_OF_ONE }, () => hold('client-0'))
    await refused('client-0')
    assert.equal((await fetchBounded(healthy.url, { client: 'other' })).status, 200)
    for (let n = MOST_OF_ONE; n < MOST_CALLS; n++) held.push(hold(`client-${Math.floor(n / MOST_OF_ONE)}`))
    const { ms } = await millisecondsOf(() => refused('other'))
    assert.ok(ms < BOUND_MS / 2, `${ms} ms`)
    // What is for everybody, as keys are, waits for no client's call.
    assert.equal((await fetchBounded(healthy.url)).status, 200)

    await Promise.all(held)
    assert.equal((await fetchBounded(healthy.url, { client: 'client-0' })).status, 200)
    assert.deepEqual([server.requests.length, healthy.requests.length], [MOST_CALLS, 3])
    await server.untilLeft()
  })
})

describe('an answer that is too much', () => {
  test('is read no further than the bound, and its connection is closed: a gigabyte [F27, CVE-2024-22025]', async (t) => {
    let sent = 0
    const server = await serving(
      t,
      gigabyte((bytes) => (sent += bytes)),
    )
    await assert.rejects(createBoundedFetch()(server.url), /too long/)
    await server.untilLeft()
    assert.ok(sent < ON_ITS_WAY, `${sent} bytes were sent`)
  })

  for (const coding of ['gzip', 'gzip, gzip', 'br'] as const) {
    test(`is unpacked no further than the bound: ${coding} of 64 MiB [F27, CVE-2024-22025]`, async (t) => {
      const server = await serving(t, bomb(coding))
      const { arrayBuffers } = process.memoryUsage()
      await assert.rejects(createBoundedFetch()(server.url), /too long/)
      const grown = process.memoryUsage().arrayBuffers - arrayBuffers
      assert.ok(grown < ON_ITS_WAY, `${grown} bytes more`)
    })
  }

  test('is no answer where it is packed two hundred times over, or says so and is not [CVE-2024-22025]', async (t) => {
    for (const coding of [Array(200).fill('gzip').join(', '), 'gzip', 'br', 'deflate']) {
      const server = await serving(t, (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end('{"keys":[]}'),
      )
      await assert.rejects(createBoundedFetch()(server.url))
    }
  })

  test('is not read where its header is larger than any of ours', async (t) => {
    const { url } = await serving(t, (_request, response) =>
      response.writeHead(200, { 'x-large': 'a'.repeat(200_000) }).end('{}'),
    )
    await assert.rejects(createBoundedFetch()(url))
  })

  test('is never fetched from where a redirect leads, be it another protocol or this machine', async (t) => {
    const target = await serving(t, says('{}'))
    for (const to of [target.url, 'file:///etc/passwd', 'data:application/json,{}', 'javascript:0', '//']) {
      const { url } = await serving(t, redirects(to))
      const answer = await createBoundedFetch()(url)
      assert.deepEqual([answer.status, answer.text], [302, ''])
    }
    assert.deepEqual(target.requests, [])
  })
})
