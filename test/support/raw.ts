/** Requests that no HTTP client would send: bytes on a socket, and what came back. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Answer } from './service.ts'

/**
 * Sends header lines (and a body) to a service and reads the one answer. `Host` and
 * `Connection: close` are added unless the lines have a `Host` of their own.
 * @param lines the request line and the header lines; each character is one byte
 */
export async function sendRaw(origin: string, lines: readonly string[], body = ''): Promise<Answer> {
  const hasHost = lines.some((line) => line.toLowerCase().startsWith('host:'))
  const head = [...lines, ...(hasHost ? [] : [`Host: ${new URL(origin).host}`]), 'Connection: close']
  if (body !== '') head.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return sendBytes(origin, Buffer.concat([latin1(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]))
}

/** Sends bytes to a service and reads until it closes the connection. No answer at all: status NaN. */
export async function sendBytes(origin: string, bytes: Uint8Array | string): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const received = untilClosed(socket)
  socket.write(typeof bytes === 'string' ? latin1(bytes) : bytes)
  return toAnswer(await received)
}

/** Everything that a connection receives until it is closed, by whichever side and however. */
export async function untilClosed(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that closes before it has read everything resets the connection.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks)
}

/** The one answer that these bytes are. */
export function toAnswer(bytes: Buffer): Answer {
  const [answerHead = '', ...rest] = bytes.toString('utf8').split('\r\n\r\n')
  const [statusLine = '', ...fields] = answerHead.split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/s, 2) as [string, string]))
  const text = rest.join('\r\n\r\n')
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
