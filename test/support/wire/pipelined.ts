/** Thousands of protected calls per second, pipelined on one connection. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** Calls sent before their answers are read: fewer than the service queues per connection. */
const AT_A_TIME = 16

// Valid header field values (RFC 9110, section 5.5), without white space at either end.
const SENDABLE = /^(?! )[\x20-\x7e\x80-\xff]{0,8000}(?<! )$/

export const isValidFieldValue = (text: string): boolean => SENDABLE.test(text)

/** Calls `GET /users/me` with each token; returns the status, challenge and body of each answer. */
export async function callPipelined(origin: string, tokens: readonly string[]): Promise<string[]> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const requestWith = (token: string) =>
    `GET /api/v1/users/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const chunks = socket[Symbol.asyncIterator]()
  const answers: string[] = []
  let received = Buffer.alloc(0)
  for (let sent = 0; sent < tokens.length; sent += AT_A_TIME) {
    const some = tokens.slice(sent, sent + AT_A_TIME)
    socket.write(Buffer.from(some.map(requestWith).join(''), 'latin1'))
    for (let missing = some.length; missing > 0;) {
      const answer = firstAnswer(received)
      if (answer === undefined) {
        const { value: chunk } = await chunks.next()
        assert.ok(chunk, `closed after ${answers.length} of ${tokens.length} answers`)
        received = Buffer.concat([received, chunk as Buffer])
      } else {
        answers.push(answer.text)
        received = received.subarray(answer.end)
        missing -= 1
      }
    }
  }
  socket.destroy()
  return answers
}

/** The first answer in these bytes, once complete. */
export function firstAnswer(bytes: Buffer): { text: string; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd + 4)
  const field = (name: string) => new RegExp(`^${name}: ?(.*)\r$`, 'im').exec(head)?.[1] ?? ''
  const end = head.length + Number(field('content-length'))
  if (bytes.length < end) return undefined
  const body = bytes.toString('utf8', head.length, end)
  return { text: `${head.split(' ', 2)[1] ?? ''} ${field('www-authenticate')} ${body}`, end }
}
