/** Requests that no HTTP client would send, as bytes on a socket. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Answer } from '../service.ts'

/**
 * Sends a request and reads the answer. `Host` and `Connection: close` are added unless the lines have a `Host` of
 * their own.
 * @param lines request line and header lines; each character is one byte
 */
export async function sendRaw(origin: string, lines: readonly string[], body = ''): Promise<Answer> {
  const hasHost = lines.some((line) => line.toLowerCase().startsWith('host:'))
  const head = [...lines, ...(hasHost ? [] : [`Host: ${new URL(origin).host}`]), 'Connection: close']
  if (body !== '') head.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return sendBytes(origin, Buffer.concat([latin1(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]))
}

/** Sends bytes and reads until the service closes the connection. The status is NaN if nothing was received. */
export async function sendBytes(origin: string, bytes: Uint8Array | string): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const received = untilClosed(socket)
  socket.write(typeof bytes === 'string' ? latin1(bytes) : bytes)
  return toAnswer(await received)
}

/** Sends calls on one connection; the last one closes it. */
export async function exchange(origin: string, bytes: string): Promise<void> {
  const { port, hostname } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(bytes, 'latin1')
  await untilClosed(socket)
}

/** Everything a connection receives until either side closes it. */
export async function untilClosed(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that closes before it has read everything resets the connection.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks)
}

export function toAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const answerHead = bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
  const [statusLine = '', ...fields] = answerHead.split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/s, 2) as [string, string]))
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4)
  const isChunked = headers.get('transfer-encoding') === 'chunked'
  const text = (isChunked ? joinChunks(body) : body).toString('utf8')
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** The content of a chunked body (RFC 9112, section 7.1), as far as it was received. */
function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let start = 0; ;) {
    const lineEnd = body.indexOf('\r\n', start)
    const size = Number.parseInt(body.toString('latin1', start, lineEnd), 16)
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(chunks)
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    start = lineEnd + 2 + size + 2
  }
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
