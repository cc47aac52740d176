/** Many concurrent callers, each on its own connection, at low cost for the machine. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { firstAnswer } from '../wire/pipelined.ts'

export type MadeCall = Readonly<{
  /** `performance.now()` before the first byte was sent. */
  beganAt: number
  status: number
}>

/** A caller that makes one call at a time on a keep-alive connection. */
export type Caller = Readonly<{
  callWith(token: string): Promise<MadeCall>
  end(): void
}>

export async function connectCaller(origin: string): Promise<Caller> {
  const { hostname, port, host } = new URL(origin)
  let socket: Socket
  let answered: ((status: number) => void) | undefined
  let failed: ((error: Error) => void) | undefined
  let received: Buffer = Buffer.alloc(0)
  const open = async () => {
    socket = connect({ port: Number(port), host: hostname, noDelay: true })
    received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = firstAnswer(received)
      if (answer === undefined) return
      received = received.subarray(answer.end)
      answered?.(Number(answer.text.slice(0, 3)))
    })
    socket.on('error', (error) => failed?.(error))
    socket.on('close', () => failed?.(new Error('closed before it was answered')))
    await once(socket, 'connect')
  }
  await open()
  return {
    async callWith(token) {
      // nginx closes a connection after a thousand requests.
      if (socket.destroyed || socket.readableEnded) await open()
      const request = `GET /api/v1/users/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
      const beganAt = performance.now()
      const status = await new Promise<number>((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.write(request)
      })
      failed = undefined
      return { beganAt, status }
    },
    end: () => socket.destroy(),
  }
}
