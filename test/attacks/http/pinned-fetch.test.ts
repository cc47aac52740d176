/** A pinned fetch talks to the given addresses only, for a bounded time, and reads a bounded answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fetchPinned } from '../../../src/http/pinned-fetch.ts'
import { selfSigned } from '../../support/http/certificate.ts'
import { serving } from '../../support/http/serving.ts'

const bounds = { addresses: ['127.0.0.1'], accept: 'application/json', timeoutMs: 2000, maxBytes: 1000 }

test('connects to the address, whatever the name resolves to, and sends no credentials [A55]', async (t) => {
  let headers: object = {}
  const server = await serving(t, (request, response) => {
    headers = request.headers
    response.end('ü')
  })
  const { port } = new URL(server.url)
  const url = new URL(`http://name.invalid:${port}/a?b=c`)
  const { status, text } = await fetchPinned(url, bounds)
  assert.deepEqual([status, text], [200, 'ü'])
  assert.deepEqual(server.requests, ['GET /a?b=c'])
  assert.deepEqual(headers, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'paylink-auth',
    host: `name.invalid:${port}`,
    connection: 'close',
  })
})

test('does not follow a redirect [A56]', async (t) => {
  const server = await serving(t, (_request, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await fetchPinned(new URL(server.url), bounds)).status, 302)
  assert.equal(server.requests.length, 1)
})

test('gives up on an answer that exceeds a bound or cannot be read [A57]', async (t) => {
  const answers: Record<string, Parameters<typeof serving>[1]> = {
    'a body over the bound': (_, response) => response.end('x'.repeat(1001)),
    'a body without end': (_, response) => {
      const more = setInterval(() => response.write('x'.repeat(100)), 5)
      response.on('close', () => clearInterval(more))
    },
    'an answer that does not come': () => {},
    'a body that trickles': (_, response) => {
      const more = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(more))
    },
    'a body that breaks off': (_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('x')
      setTimeout(() => response.destroy(), 20)
    },
    'a compressed body, which could grow': (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('readable'),
    'a body that is not UTF-8': (_, response) => response.end(Buffer.from([0xff, 0xfe])),
    'very long headers': (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
  }
  for (const [what, handler] of Object.entries(answers)) {
    await t.test(what, async () => {
      const server = await serving(t, handler)
      await assert.rejects(fetchPinned(new URL(server.url), { ...bounds, timeoutMs: 300 }))
      await server.untilLeft()
    })
  }
})

test('over TLS the certificate must be that of the name, not of the address [A61]', async (t) => {
  const { cert, key } = selfSigned({ host: 'client.example' })
  const server = createServer({ cert, key }, (_request, response) => response.end('here'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const url = (host: string) => new URL(`https://${host}:${port}/`)
  await assert.rejects(fetchPinned(url('client.example'), bounds), /self-signed certificate/)
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, cert])
  t.after(() => setDefaultCACertificates(known))
  assert.equal((await fetchPinned(url('client.example'), bounds)).text, 'here')
  await assert.rejects(fetchPinned(url('other.example'), bounds), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})
