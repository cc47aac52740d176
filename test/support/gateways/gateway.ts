/**
 * An nginx gateway in front of another service, with a record of its auth subrequests and of the calls it passed on.
 */
import { once } from 'node:events'
import { createServer, request as sendOn } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { freePort } from '../files.ts'
import { startGateway } from './nginx.ts'
import type { Nginx } from './nginx.ts'
import { startService } from '../service.ts'
import type { Service } from '../service.ts'

export type Arrived = Readonly<{
  line: string
  names: readonly string[]
  headers: Readonly<Record<string, string>>
  body: string
}>

export type GatewaySetup = Readonly<{
  auth: Service
  nginx: Nginx
  /** `auth` receives the gateway's auth subrequests, `behind` is the protected service. */
  ports: Readonly<{ auth: number; behind: number }>
  asked: Arrived[]
  passed: Arrived[]
  /** Replaces the answers to auth subrequests; without a handler, this service answers. */
  answerBy(handler?: (response: ServerResponse) => void): void
  /** Replaces the answers of the protected service; without a handler, 200 with the request it received. */
  serveBy(handler?: (request: IncomingMessage, response: ServerResponse) => void): void
  stop(): Promise<void>
}>

export async function startGatewaySetup(env: Record<string, string> = {}): Promise<GatewaySetup> {
  const auth = await startService({ TRUST_PROXY: '127.0.0.1', ...env })
  const [asked, passed]: [Arrived[], Arrived[]] = [[], []]
  let answer: ((response: ServerResponse) => void) | undefined
  let serve: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const witness = createServer(async (request, response) => {
    asked.push(await arrived(request))
    if (answer !== undefined) answer(response)
    else handOn(request, response, Number(new URL(auth.origin).port))
  })
  const behind = createServer(async (request, response) => {
    const call = await arrived(request)
    passed.push(call)
    if (serve !== undefined) serve(request, response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(call.headers))
  })
  behind.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    passed.push(withoutBody(request))
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello')
    socket.on('data', (chunk: Buffer) => void socket.end(`echo ${chunk.toString()}`))
    socket.on('error', () => {})
  })
  const ports = { auth: await listening(witness), behind: await listening(behind) }
  const nginx = await startGateway(await freePort(), ports)
  return {
    auth,
    nginx,
    ports,
    asked,
    passed,
    answerBy: (handler) => void (answer = handler),
    serveBy: (handler) => void (serve = handler),
    async stop() {
      await nginx.stop()
      for (const server of [witness, behind]) {
        server.close()
        server.closeAllConnections()
      }
      await auth.close()
    },
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function withoutBody({ method, url, rawHeaders, headers }: IncomingMessage): Arrived {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  return { line: `${method} ${url}`, names, headers: headers as Record<string, string>, body: '' }
}

async function arrived(request: IncomingMessage): Promise<Arrived> {
  return { ...withoutBody(request), body: await text(request) }
}

function handOn({ method, url, rawHeaders }: IncomingMessage, response: ServerResponse, port: number): void {
  const sent = sendOn({
    host: '127.0.0.1',
    port,
    ...(method && { method }),
    path: url ?? '/',
    headers: [...rawHeaders],
  })
  sent.on('response', (got) => {
    response.writeHead(got.statusCode ?? 502, got.rawHeaders)
    got.pipe(response)
  })
  sent.on('error', () => response.destroy())
  sent.end()
}
