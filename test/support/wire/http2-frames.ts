/** Hand-made HTTP/2 frames (RFC 9113), with uncompressed header fields (RFC 7541, section 6.2.2). */

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7]
const [END_STREAM, END_HEADERS] = [1, 4]

type Fields = readonly (readonly [name: string, value: string])[]

/** The start of a connection: preface and empty settings. */
export const opening = () => Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0)])

export function headersFrame(stream: number, fields: Fields, hasBody = false): Buffer {
  return frame(
    HEADERS,
    hasBody ? END_HEADERS : END_HEADERS | END_STREAM,
    stream,
    Buffer.concat(fields.map(([name, value]) => literal(name, value))),
  )
}

export const dataFrame = (stream: number, body: string) => frame(DATA, END_STREAM, stream, Buffer.from(body))

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** The streams that the server has ended; undefined: the connection is closed. */
export function endedStreams(received: Buffer): ReadonlySet<number> | undefined {
  const ended = new Set<number>()
  for (let start = 0; start + 9 <= received.length; start += 9 + received.readUIntBE(start, 3)) {
    const [type, flags] = [received[start + 3], received[start + 4] ?? 0]
    if (type === GOAWAY) return undefined
    const ends = type === RST_STREAM || ((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0)
    if (ends) ended.add(received.readUInt32BE(start + 5))
  }
  return ended
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

// A length of 127 or more takes a second byte.
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const rest = bytes.length - 127
  const length = rest < 128 ? [127, rest] : [127, (rest & 127) | 128, rest >> 7]
  return Buffer.concat([Buffer.from(length), bytes])
}
