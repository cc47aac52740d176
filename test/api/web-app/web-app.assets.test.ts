import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { get as request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assertError } from '../../support/http/answers.ts'
import { callAt } from '../../support/http/call.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
let service: Service
let assets: string[]

before(async () => {
  service = await startService()
  assets = readdirSync(new URL('../../../web/dist/assets/', import.meta.url))
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map((name) => `/assets/${name}`)
})
after(() => service.close())

/** Fetches an asset without decompressing it, unlike `fetch`. */
function load(path: string, acceptEncoding?: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: Buffer }>()
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  request(service.origin + path, { headers, agent: false }, async (response) => {
    resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
  }).on('error', reject)
  return promise
}

test('a page references a script, a style sheet and an icon, and all of them exist', async () => {
  const page = await (await fetch(`${service.origin}/`)).text()
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  assert.deepEqual([...new Set(named.map((path) => path.split('.').at(-1)))].toSorted(), ['css', 'js', 'svg'])
  assert.deepEqual(
    named.filter((path) => !assets.includes(path)),
    [],
  )
})

test('each asset has its media type, is cacheable forever, and is served with nosniff', async () => {
  for (const path of assets) {
    const { headers } = await load(path)
    assert.equal(headers['content-type'], types[path.split('.').at(-1) ?? ''], path)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['set-cookie'], undefined)
    assert.match(headers.vary ?? '', /\bAccept-Encoding\b/i)
  }
})

test('each asset is compressed as the browser accepts, with the same content', async () => {
  const unpack: Readonly<Record<string, (body: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }
  const accepted: Readonly<Record<string, string | undefined>> = {
    'gzip, deflate, br, zstd': 'br',
    br: 'br',
    gzip: 'gzip',
    'br;q=0, gzip': 'gzip',
    identity: undefined,
    'zstd, deflate': undefined,
  }
  for (const path of assets) {
    const plain = await load(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    for (const [acceptEncoding, encoding] of Object.entries(accepted)) {
      const { headers, body } = await load(path, acceptEncoding)
      assert.equal(headers['content-encoding'], encoding, acceptEncoding)
      assert.equal(headers['content-type'], plain.headers['content-type'], acceptEncoding)
      assert.equal(Number(headers['content-length']), body.length)
      const content = encoding === undefined ? body : unpack[encoding]?.(body)
      assert.ok(content?.equals(plain.body), `${path} as ${acceptEncoding}`)
      if (encoding !== undefined) assert.ok(body.length < plain.body.length)
    }
  }
})

test('HEAD responds like GET without the body, and other methods get 405', async () => {
  for (const path of assets) {
    const head = await fetch(service.origin + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    const { body } = await load(path)
    assert.deepEqual(
      [head.status, await head.text(), Number(head.headers.get('content-length'))],
      [200, '', body.length],
    )
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fetch(service.origin + path, { method })
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], method)
    }
  }
})

test('files that were not built, and files outside the folder, are a 404', async () => {
  const { pathname } = new URL(assets[0] ?? '', service.origin)
  for (const path of [
    '/assets/',
    '/assets/other.js',
    `${pathname}.br`,
    `${pathname}.gz`,
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/index.html',
    '/built-from',
    '/src/main.tsx',
  ]) {
    assertError(await callAt(service.origin, `GET ${path}`), 'NOT_FOUND')
  }
})
