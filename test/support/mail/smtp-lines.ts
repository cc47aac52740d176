/** A scripted SMTP server: it records every line it receives and replies as the test says. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type LineSmtp = Readonly<{
  url: URL
  commands: string[]
  messages: string[]
  /** Bytes received after the reply to STARTTLS. */
  afterStartTls: Buffer[]
  /** Open connections, and the most that were open at once. */
  open(): number
  mostOpen(): number
  close(): Promise<void>
}>

/** The reply to a command; undefined: the usual reply. */
export type Reply = (command: string, socket: Socket) => string | undefined

const OK = '250 ok\r\n'
const usual: Readonly<Record<string, string>> = {
  EHLO: '250 localhost\r\n',
  DATA: '354 go on\r\n',
  QUIT: '221 bye\r\n',
}

/** `reply` may return an empty string for no reply; `greet` writes the greeting of a new connection. */
export async function startLineSmtp(
  reply: Reply = () => undefined,
  greet: (socket: Socket) => void = (socket) => void socket.write('220 localhost\r\n'),
): Promise<LineSmtp> {
  const sockets = new Set<Socket>()
  const said = { commands: [] as string[], messages: [] as string[], afterStartTls: [] as Buffer[] }
  let mostOpen = 0

  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}))
    mostOpen = Math.max(mostOpen, sockets.size)
    let rest = ''
    let message: string | undefined
    let isTls = false
    greet(socket)
    socket.on('data', (chunk: Buffer) => {
      if (isTls) said.afterStartTls.push(chunk)
      else rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0 && !isTls; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (message !== undefined) {
          if (line !== '.') {
            message += `${line}\r\n`
            continue
          }
          said.messages.push(message)
          message = undefined
        } else said.commands.push(line)
        const answer = reply(line, socket) ?? usual[line.slice(0, 4).toUpperCase()] ?? OK
        if (line === 'DATA' && answer.startsWith('354')) message = ''
        if (line === 'STARTTLS' && answer.startsWith('220')) isTls = true
        if (answer !== '') socket.write(answer)
      }
    })
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  server.unref()

  return {
    url: new URL(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ...said,
    open: () => sockets.size,
    mostOpen: () => mostOpen,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
