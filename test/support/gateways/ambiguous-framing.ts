/** Calls whose length is ambiguous, to hide a second call in the body of the first (request smuggling). */

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\nX-User-Id: forged\r\n\r\n'
const length = `Content-Length: ${HIDDEN.length + 5}`

const framings: readonly (readonly string[])[] = [
  ['Content-Length: 4', 'Transfer-Encoding: chunked'],
  [length, 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 0'],
  ['Content-Length: 5', length],
  [`Content-Length: 5, ${HIDDEN.length}`],
  ['Content-Length: +5'],
  ['Content-Length: 0x5'],
  ['Content-Length: -1'],
  ['Content-Length : 5'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding:\u000bchunked'],
  ['Transfer-Encoding : chunked'],
  ['Transfer_Encoding: chunked', 'Content-Length: 5'],
  ['X: y\rTransfer-Encoding: chunked'],
  [' Transfer-Encoding: chunked'],
  ['Transfer-Encoding:', 'Content-Length: 5'],
  ['Content-Length: 5', 'Expect: 100-continue'],
  ['Content-Length: 5', 'Expect: 100-continue, x'],
  ['Expect: 100-continue', 'Transfer-Encoding: chunked'],
]

/** The bytes of one connection each: `POST /x`, perhaps a hidden call to `/hidden`, and `GET /last` without a token. */
export function ambiguousConnections(token: string): string[] {
  return framings.flatMap((framing) =>
    [[], [`Authorization: Bearer ${token}`]].map((authorization) => {
      const head = ['POST /x HTTP/1.1', 'Host: x', ...authorization, ...framing].join('\r\n')
      return `${head}\r\n\r\n0\r\n\r\n${HIDDEN}GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    }),
  )
}
