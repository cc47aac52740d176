import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createBoundedFetch } from '../../src/lib/bounded-fetch.ts'
import { cuts, redirects, answerWith } from '../support/wire/hostile-answers.ts'
import { serving } from '../support/http/serving.ts'

const LONGEST = 128 * 1024
const fetchBounded = createBoundedFetch()

describe('an outgoing call', () => {
  test('sends the given request, and returns status, type, text and the server’s time', async (t) => {
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

  test('returns an answer without a body', async (t) => {
    const { url } = await serving(t, (_request, response) => response.writeHead(204).end())
    const { status, contentType, text } = await fetchBounded(url)
    assert.deepEqual([status, contentType, text], [204, '', ''])
  })

  test('decodes a character that arrives in two chunks', async (t) => {
    const bytes = Buffer.from('ă')
    const { url } = await serving(t, (_request, response) => {
      response.writeHead(200).write(bytes.subarray(0, 1))
      setTimeout(() => response.end(bytes.subarray(1)), 20)
    })
    assert.equal((await fetchBounded(url)).text, 'ă')
  })

  for (const [name, bytes] of [
    ['another encoding', Buffer.from('é', 'latin1')],
    ['a truncated character', Buffer.from('ă').subarray(0, 1)],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ] as const) {
    test(`rejects an answer that is not UTF-8: ${name}`, async (t) => {
      const { url } = await serving(t, answerWith(bytes))
      await assert.rejects(fetchBounded(url), { name: 'TypeError' })
    })
  }

  test('accepts an answer of the maximum size, and aborts one that is a byte longer', async (t) => {
    let length = LONGEST
    const server = await serving(t, (_request, response) => response.end('a'.repeat(length)))
    assert.equal((await fetchBounded(server.url)).text.length, LONGEST)
    length += 1
    await assert.rejects(fetchBounded(server.url), /too large/)
  })

  for (const [coding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync })) {
    test(`counts the decompressed size: ${coding}`, async (t) => {
      let length = LONGEST
      const { url } = await serving(t, (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(pack(Buffer.alloc(length, 'a'))),
      )
      assert.equal((await fetchBounded(url)).text.length, LONGEST)
      length += 1
      await assert.rejects(fetchBounded(url), /too large/)
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`does not follow a ${status}, and sends its target nothing`, async (t) => {
      const target = await serving(t, answerWith('{}'))
      const server = await serving(t, redirects(`${target.url}/?x`, status))
      const sent = { method: 'POST', body: 'secret', headers: { authorization: 'Bearer secret' } }
      assert.equal((await fetchBounded(server.url, sent)).status, status)
      assert.equal((await fetchBounded(server.url)).status, status)
      assert.deepEqual(target.requests, [])
      assert.equal(server.requests.length, 2)
    })
  }

  test('fails without a retry when nobody listens or the connection is cut', async (t) => {
    const server = await serving(t, cuts)
    await assert.rejects(fetchBounded(server.url))
    assert.equal(server.requests.length, 1)
    await assert.rejects(fetchBounded('http://127.0.0.1:1/'))
  })
})
