/** HTTP/2 frames as no client would send them (RFC 9113), header fields uncompressed (RFC 7541, section 6.2.2). */

export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

const SETTINGS = 4
const HEADERS = 1
const END_STREAM_AND_HEADERS = 0x05
const END_HEADERS = 0x04

type Fields = readonly (readonly [name: string, value: string])[]

/** What begins a connection: the preface and empty settings. */
export const opening = () => Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0)])

/** A request without a body, or the beginning of one, on a stream of an odd number. */
export function headersFrame(stream: number, fields: Fields, hasBody = false): Buffer {
  return frame(HEADERS, hasBody ? END_HEADERS : END_STREAM_AND_HEADERS, stream, Buffer.concat(fields.map(([name, value]) => literal(name, value))))
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

// A length of 127 and more takes a second byte.
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const rest = bytes.length - 127
  const length = rest < 128 ? [127, rest] : [127, (rest & 127) | 128, rest >> 7]
  return Buffer.concat([Buffer.from(length), bytes])
}
