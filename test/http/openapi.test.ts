import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const written = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

type Got = Readonly<{ status: number | undefined; headers: IncomingMessage['headers']; bytes: Buffer }>

// `fetch` would decompress, and hide the encoding.
function get(headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.baseUrl}/openapi.json`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject).end()
  })
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }
const accepted = { br: 'gzip, deflate, br', gzip: 'gzip;q=0.5, br;q=0', identity: 'deflate', none: '' }

test('the document is served in the encoding that the client accepts, each a fraction of the file', async () => {
  for (const [name, header] of Object.entries(accepted)) {
    const { status, headers, bytes } = await get(header === '' ? {} : { 'accept-encoding': header })
    const decode = decoders[name]
    assert.equal(status, 200)
    assert.equal(headers['content-encoding'], decode && name)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.match(headers['vary'] ?? '', /(^|, )Accept-Encoding($|,)/)
    assert.deepEqual(JSON.parse((decode?.(bytes) ?? bytes).toString()), written)
    assert.ok(bytes.length < (decode ? 30_000 : 200_000), `${name}: ${bytes.length} bytes`)
  }
})

test('a client that has the document gets 304 without a body, in every encoding and by HEAD too', async () => {
  const tags = new Set<string>()
  for (const header of Object.values(accepted)) {
    const encoding = { 'accept-encoding': header }
    const { headers } = await get(encoding)
    const { etag = '' } = headers
    assert.match(etag, /^"[\w-]+"$/)
    assert.equal(headers['cache-control'], 'no-cache')
    tags.add(etag)
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await get({ ...encoding, 'if-none-match': known }, method)
        assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag], known)
        assert.equal(again.headers['content-encoding'], undefined)
      }
    }
    assert.equal((await get({ ...encoding, 'if-none-match': '"another"' })).status, 200)
  }
  assert.equal(tags.size, 3, 'a tag of its own for each encoding')
})
