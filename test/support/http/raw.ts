/** Requests that no HTTP client would send: bytes on a socket, and what came back. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Answer } from '../service.ts'

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

/** The content of a body of chunks (RFC 9112, section 7.1), as far as it came. */
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
