/** Calls to another server: what is sent, what comes back, and what is no answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createBoundedFetch } from '../../src/lib/bounded-fetch.ts'
import { cuts, redirects, says } from '../support/http/hostile-answers.ts'
import { serving } from '../support/http/serving.ts'

const LONGEST = 128 * 1024
const fetchBounded = createBoundedFetch()

describe('a call to another server', () => {
  test('sends what it is given, and brings status, type, text and the server’s time', async (t) => {
    const server = await serving(t, (_request, response, body) =>
      response.writeHead(418, { 'content-type': 'text/plain' }).end(`ă ${body}`),
    )
    const answer = await fetchBounded(`${server.url}/here?x=1`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    })
    const { date, ...rest } = answer
    assert.deepEqual(rest, { status: 418, contentType: 'text/plain', text: 'ă a=b' })
    assert.ok(Math.abs(Date.parse(date ?? '') - Date.now()) < 60_000)
    assert.deepEqual(server.requests, ['POST /here?x=1 a=b'])
  })

  test('brings an answer without a body', async (t) => {
    const { url } = await serving(t, (_request, response) => response.writeHead(204).end())
    const { status, contentType, text } = await fetchBounded(url)
    assert.deepEqual([status, contentType, text], [204, '', ''])
  })

  test('reads a character that comes in two parts', async (t) => {
    const bytes = Buffer.from('ă')
    const { url } = await serving(t, (_request, response) => {
      response.writeHead(200).write(bytes.subarray(0, 1))
      setTimeout(() => response.end(bytes.subarray(1)), 20)
    })
    assert.equal((await fetchBounded(url)).text, 'ă')
  })

  for (const [name, bytes] of [
    ['another encoding', Buffer.from('é', 'latin1')],
    ['a character cut off', Buffer.from('ă').subarray(0, 1)],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ] as const) {
    test(`is answered by nothing where the answer is not UTF-8: ${name}`, async (t) => {
      const { url } = await serving(t, says(bytes))
      await assert.rejects(fetchBounded(url), { name: 'TypeError' })
    })
  }

  test('takes an answer as long as the bound, and none that is a byte longer, which it leaves', async (t) => {
    let length = LONGEST
    const server = await serving(t, (_request, response) => response.end('a'.repeat(length)))
    assert.equal((await fetchBounded(server.url)).text.length, LONGEST)
    length += 1
    await assert.rejects(fetchBounded(server.url), /too long/)
  })

  for (const [coding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync })) {
    test(`counts what an answer is unpacked: ${coding}`, async (t) => {
      let length = LONGEST
      const { url } = await serving(t, (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(pack(Buffer.alloc(length, 'a'))),
      )
      assert.equal((await fetchBounded(url)).text.length, LONGEST)
      length += 1
      await assert.rejects(fetchBounded(url), /too long/)
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`never goes to where a ${status} sends it, with nothing of what it carries`, async (t) => {
      const target = await serving(t, says('{}'))
      const server = await serving(t, redirects(`${target.url}/?x`, status))
      const sent = { method: 'POST', body: 'secret', headers: { authorization: 'Bearer secret' } }
      assert.equal((await fetchBounded(server.url, sent)).status, status)
      assert.equal((await fetchBounded(server.url)).status, status)
      assert.deepEqual(target.requests, [])
      assert.equal(server.requests.length, 2)
    })
  }

  test('fails where nobody listens, or the connection is cut, and is made once', async (t) => {
    const server = await serving(t, cuts)
    await assert.rejects(fetchBounded(server.url))
    assert.equal(server.requests.length, 1)
    await assert.rejects(fetchBounded('http://127.0.0.1:1/'))
  })
})
