/**
 * A keep-alive HTTP/1.1 connection with one request at a time. Parses as little as possible: the load generator must cost
 * less CPU time than the floor.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** `send` may be called again after `parseAnswer`. */
export type Connection = Readonly<{ send(request: string): void; close(): void }>

const END_OF_HEADERS = '\r\n\r\n'

// Length of the whole answer; Infinity while it is unknown.
function lengthOf(text: string): number {
  const end = text.indexOf(END_OF_HEADERS)
  if (end === -1) return Infinity
  const head = text.slice(0, end)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return end + END_OF_HEADERS.length + Number(length)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return end + END_OF_HEADERS.length
  return text.endsWith('\r\n0\r\n\r\n') ? text.length : Infinity
}

/**
 * @param answered called with the status of each answer, after its last byte
 * @param failed called on an error, or if the target closes the connection
 */
export function openConnection(
  port: number,
  answered: (status: number) => void,
  failed: (error: Error) => void,
): Promise<Connection> {
  return new Promise((resolve) => {
    let received = ''
    let needed = 0
    let isClosing = false

    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback(count, buffer) {
          received += (buffer as Buffer).toString('latin1', 0, count)
          if (needed === 0 || needed === Infinity) needed = lengthOf(received)
          if (received.length < needed) return true
          const status = Number(received.slice(9, 12))
          received = ''
          needed = 0
          answered(status)
          return true
        },
      },
    })
    socket.on('error', failed)
    socket.on('close', () => isClosing || failed(new Error('the target closed the connection')))
    socket.on('connect', () =>
      resolve({
        send: (request) => void socket.write(request, 'latin1'),
        close() {
          isClosing = true
          socket.destroy()
        },
      }),
    )
  })
}
