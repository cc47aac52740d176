/** HTTP/2 without TLS to Caddy and HAProxy: a trailer there needs no Transfer-Encoding, and forges no identity. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:http2'
import type { IncomingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { callAt } from '../support/http/call.ts'
import { startGatewaySetup } from '../support/gateways/gateway.ts'
import type { GatewaySetup } from '../support/gateways/gateway.ts'
import { http2Gateways } from '../support/gateways/other-gateways.ts'

let gated: GatewaySetup
let token: string
before(async () => {
  gated = await startGatewaySetup()
  token = await gated.auth.signIn('ana@example.com')
})
after(() => gated?.stop())

const FORGED = { 'x-user-id': 'forged', 'x-api-key-id': 'forged', 'x-account-claimed': 'forged' }

async function ask(origin: string, path: string, fields: Record<string, string>): Promise<number | undefined> {
  const session = connect(origin)
  session.on('error', () => {})
  try {
    const stream = session.request({ ':method': 'POST', ':path': path, ...fields }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(FORGED))
    stream.end('hello')
    const [{ ':status': status }] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }]
    await text(stream)
    return status
  } finally {
    session.destroy()
  }
}

for (const [name, start] of Object.entries(http2Gateways)) {
  test(`${name}: no identity in a trailer of HTTP/2, on public paths too`, async (t) => {
    const gateway = await start(gated.ports)
    t.after(() => gateway.stop())
    const reached: unknown[] = []
    gated.serveBy((request, response) => {
      reached.push([request.headers, request.trailers])
      response.end()
    })
    for (const path of ['/x', '/healthz']) {
      for (const announced of [{}, { trailer: Object.keys(FORGED).join() }, { te: 'trailers' }]) {
        const status = await ask(gateway.origin, path, { authorization: `Bearer ${token}`, ...announced })
        assert.equal(status, name === 'Caddy' ? 200 : 505, path)
      }
    }
    assert.equal(reached.length, name === 'Caddy' ? 6 : 0)
    assert.ok(!JSON.stringify(reached).includes('forged'))
    if (name !== 'HAProxy, HTTP/2 only') assert.equal((await callAt(gateway.origin, 'GET /x', { token })).status, 200)
  })
}
