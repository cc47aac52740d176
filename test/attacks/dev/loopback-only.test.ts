/** Development pages answer programs on this machine, and no request through a proxy. */
import assert from 'node:assert/strict'
import { createServer, request as send } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { callAt } from '../../support/http/call.ts'
import { temporaryFolder } from '../../support/files.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { serveIn } from '../../support/process/served.ts'
import type { Served } from '../../support/process/served.ts'

/** One development page of every kind. */
const PAGES = [
  '/dev/mailbox',
  '/dev/mailbox/1',
  '/dev/page.css',
  '/dev/google/.well-known/openid-configuration',
  '/dev/google/jwks',
  '/dev/google/gsi/client',
  '/dev/google/gsi/prompt',
  '/dev/google/gsi/credential?email=ana%40example.com',
]

/** Header fields of proxies, balancers, CDNs, tunnels and meshes; the last one is invented. */
const ADDED_BY_PROXIES = [
  'Via: 1.1 proxy',
  'X-Real-IP: 203.0.113.9',
  'Forwarded: for=203.0.113.9',
  'X-Forwarded-For: 127.0.0.1',
  'X-Forwarded-Host: localhost',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 443',
  'X-Forwarded-Server: a',
  'X-Forwarded: 1',
  'Forwarded-For: 127.0.0.1',
  'X-Forward-For: 1',
  'CF-Connecting-IP: 203.0.113.9',
  'CF-RAY: 1',
  'CF-Visitor: {}',
  'CF-IPCountry: RO',
  'CDN-Loop: cloudflare',
  'True-Client-IP: 203.0.113.9',
  'X-Client-IP: 127.0.0.1',
  'X-Cluster-Client-IP: 1',
  'Client-IP: 127.0.0.1',
  'Fastly-Client-IP: 1',
  'Fastly-FF: 1',
  'Fly-Client-IP: 1',
  'Fly-Forwarded-Proto: https',
  'X-Envoy-External-Address: 1',
  'X-Envoy-Attempt-Count: 1',
  'X-Original-URL: /',
  'X-Original-Host: a',
  'X-Original-Forwarded-For: 1',
  'X-Amzn-Trace-Id: 1',
  'X-Amz-Cf-Id: 1',
  'X-Azure-ClientIP: 1',
  'X-ARR-SSL: 1',
  'X-AppEngine-User-IP: 1',
  'X-Cloud-Trace-Context: 1',
  'X-Request-ID: 1',
  'X-Varnish: 1',
  'X-Scheme: https',
  'Front-End-Https: on',
  'Surrogate-Capability: a',
  'Incap-Client-IP: 1',
  'X-ProxyUser-Ip: 1',
  'WL-Proxy-Client-IP: 1',
  'Ali-CDN-Real-IP: 1',
  'Traceparent: 00-1-1-01',
  'B3: 0',
  'Max-Forwards: 9',
  'Proxy-Connection: close',
  'Zz-New: 1',
]

const folder = temporaryFolder()
let service: Served
after(() => folder.remove())

for (const TRUST_PROXY of ['', '127.0.0.1']) {
  describe(TRUST_PROXY === '' ? 'without TRUST_PROXY' : 'with TRUST_PROXY', () => {
    before(async () => {
      service = await serveIn(folder.path, { TRUST_PROXY, PUBLIC_URL: '' })
      // The sign-in mail that a stranger would read.
      await service.call('POST /auth/request', { body: { email: 'ana@example.com' } })
      while ((await callAt(service.origin, 'GET /dev/mailbox/1')).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 20))
    })
    after(() => service.stop())

    test('every page answers a browser, a program and a script', async () => {
      const browser = [
        'User-Agent: Mozilla/5.0',
        'Accept: text/html',
        'Accept-Language: ro',
        'Accept-Encoding: gzip',
        'Connection: keep-alive',
        'Cookie: a=b',
        'DNT: 1',
        'Sec-GPC: 1',
        'Sec-Fetch-Site: none',
        'Sec-CH-UA-Platform: "Linux"',
        'Upgrade-Insecure-Requests: 1',
        'Cache-Control: max-age=0',
        'Priority: u=0, i',
        'If-None-Match: "a"',
        'Referer: http://localhost/',
      ]
      for (const page of PAGES) {
        assert.equal((await callAt(service.origin, `GET ${page}`)).status, 200, page)
        assert.equal((await sendRaw(service.origin, [`GET ${page} HTTP/1.1`, ...browser])).status, 200, page)
      }
    })

    test('no page answers a request with a proxy’s header field', async () => {
      for (const [index, field] of ADDED_BY_PROXIES.entries()) {
        // One rule for all fields, and one for all pages: every page gets some fields, and the first field every page.
        const pages = index === 0 ? PAGES : [PAGES[index % PAGES.length], PAGES[(index + 3) % PAGES.length]]
        for (const page of pages) {
          const answer = await sendRaw(service.origin, [`GET ${page} HTTP/1.1`, field])
          assert.equal(answer.status, 404, `${field} ${page}`)
          assert.doesNotMatch(answer.text, /token=|credential|stand-in|ana@/)
        }
      }
    })

    test('no page answers HTTP/1.0, which nginx uses by default', async () => {
      for (const page of PAGES) assertError(await sendRaw(service.origin, [`GET ${page} HTTP/1.0`]), 'NOT_FOUND')
    })

    test('no page answers through a proxy that forwards Host and adds nothing', async (t) => {
      const proxy = await startPlainProxy(service.origin)
      t.after(() => proxy.close())
      for (const page of PAGES) {
        assert.equal(
          (await sendRaw(proxy.origin, [`GET ${page} HTTP/1.1`, 'Host: auth.example.com'])).status,
          404,
          page,
        )
      }
    })
  })
}

async function startPlainProxy(to: string): Promise<{ origin: string; close(): void }> {
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    incoming.pipe(
      send(new URL(url, to), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }),
    )
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() }
}
