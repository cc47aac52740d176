import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createBoundedFetch } from '../../../src/lib/bounded-fetch.ts'
import { createLog } from '../../../src/lib/log.ts'
import { freePort } from '../../support/files.ts'
import { selfSigned } from '../../support/http/certificate.ts'
import { transports } from '../../support/mail/transports.ts'

const servers: Server[] = []
after(() => servers.forEach((server) => server.close()))

async function portOf(server: Server): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const silent = (socket: Socket) => void socket.resume().unref()
const ends = (socket: Socket) => void socket.end('SSH-2.0-x\r\n')
const SECRET = 'a-secret-of-the-url'

/** `host:port` by how connections to it fail, and what the log line says. */
const broken: Readonly<Record<string, readonly [() => Promise<string>, RegExp]>> = {
  'a name that does not exist': [async () => 'no-such-host.invalid:443', /^DNS: .*resolver\.$/],
  'a port without a server': [async () => `127.0.0.1:${await freePort()}`, /^refused: .*the server runs\.$/],
  'a certificate that nobody vouches for': [
    async () => `127.0.0.1:${await portOf(createTlsServer(selfSigned()))}`,
    /^TLS: .*certificate/,
  ],
  'a server without TLS': [
    async () => `127.0.0.1:${await portOf(createServer(ends))}`,
    /^TLS: .*the port speaks TLS\.$/,
  ],
  'a silent server': [async () => `127.0.0.1:${await portOf(createServer(silent))}`, /^timeout: /],
}

function lineOf(err: unknown): { cause?: string } {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).warn({ err }, 'not done')
  assert.ok(!lines.join().includes(SECRET), lines.join())
  return JSON.parse(lines[0] ?? '').err
}

describe('the log line of a failed call names the cause and the remedy', { concurrency: true }, () => {
  for (const [name, [hostOf, expected]] of Object.entries(broken)) {
    test(`by HTTP to ${name}`, async () => {
      const url = `https://user:${SECRET}@${await hostOf()}/path?token=${SECRET}`
      // `fetch` refuses a URL with a login.
      const error = await createBoundedFetch()(url.replace(`user:${SECRET}@`, '')).catch((err: unknown) => err)
      assert.match(lineOf(error).cause ?? '', expected)
    })

    for (const create of transports)
      test(`by SMTP, with ${create.name}, to ${name}`, async () => {
        const transport = create(new URL(`smtps://user:${SECRET}@${await hostOf()}`), 'a@example.com')
        const mail = { to: 'ana@example.com', subject: 's', text: 't', html: 'h' }
        const error = await transport.send(mail, AbortSignal.timeout(60_000)).catch((err: unknown) => err)
        transport.close()
        assert.match(lineOf(error).cause ?? '', expected)
      })
  }
})
