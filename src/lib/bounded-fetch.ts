/** Calls to another server that end: in time, in size, and at the address that was asked. */
import { timeoutSignal } from './clock.ts'

/** Within which a call is answered whole, in milliseconds. */
const ANSWERED_WITHIN_MS = 3000
/** The longest answer that is read, in bytes, unpacked. */
const LONGEST_ANSWER = 128 * 1024
/** How many calls are under way at most: a server that hangs must not fill the memory. */
const MOST_CALLS = 100

/** What of a request can be chosen. */
export type BoundedRequest = Readonly<{
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: NonNullable<RequestInit['body']>
}>

/** An answer, read to its end. */
export type BoundedAnswer = Readonly<{ status: number; contentType: string; text: string }>

/** Calls another server. @throws when there is no whole answer within the bounds */
export type BoundedFetch = (url: string, request?: BoundedRequest) => Promise<BoundedAnswer>

/** Makes the caller; its bounds are over all of its calls. */
export function createBoundedFetch(): BoundedFetch {
  let underWay = 0
  return async (url, request = {}) => {
    if (underWay >= MOST_CALLS) throw new Error('too many calls are under way')
    underWay += 1
    try {
      // Never to where it redirects: what is sent may be a secret, what comes back is believed.
      const signal = timeoutSignal(ANSWERED_WITHIN_MS)
      const response = await fetch(url, { ...request, redirect: 'manual', signal })
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        text: await readText(response),
      }
    } finally {
      underWay -= 1
    }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > LONGEST_ANSWER) throw new Error('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
