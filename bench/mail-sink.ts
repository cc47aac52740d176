/** An SMTP server that accepts and discards every mail. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Returns the port. The server does not keep the process alive. */
export async function startMailSink(): Promise<number> {
  const server = createServer((socket) => {
    let isInData = false
    let line = ''
    const answer = (text: string) => socket.write(`${text}\r\n`)
    answer('220 sink')
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const lines = (line + chunk.toString('latin1')).split('\r\n')
      line = lines.pop() ?? ''
      for (const each of lines) {
        if (isInData && each !== '.') continue
        const isData = /^data$/i.test(each)
        answer(isData ? '354 go on' : '250 sink')
        isInData = isData
      }
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
