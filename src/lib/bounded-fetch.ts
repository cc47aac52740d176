/** Calls to another server that end: in time, in size, and at the address that was asked. */
import { timeoutSignal } from './clock.ts'

/** Within which a call is answered whole, in milliseconds. */
const ANSWERED_WITHIN_MS = 3000
/** The longest answer that is read, in bytes, unpacked. */
const LONGEST_ANSWER = 128 * 1024
/** How many calls for others are under way at most: a server that hangs must not fill the memory. */
const MOST_CALLS = 100
/** How many of them for one client, so that nobody takes up all of them. */
const MOST_CALLS_OF_ONE = 5

/** What of a request can be chosen. */
export type BoundedRequest = Readonly<{
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: NonNullable<RequestInit['body']>
  /** The client's network, where a call is made because a client asked for it. */
  client?: string
}>

/** An answer, read to its end. */
export type BoundedAnswer = Readonly<{
  status: number
  contentType: string
  text: string
  /** The server's clock, as it told it (RFC 9110, section 6.6.1). */
  date: string | null
}>

/** Calls another server. @throws when there is no whole answer within the bounds */
export type BoundedFetch = (url: string, request?: BoundedRequest) => Promise<BoundedAnswer>

/** Makes the caller; its bounds are over all of its calls. */
export function createBoundedFetch(): BoundedFetch {
  const underWay = new Map<string, number>()
  return async (url, { client, ...request } = {}) => {
    if (client === undefined) return call(url, request)
    const ofClient = underWay.get(client) ?? 0
    const ofAll = underWay.values().reduce((sum, count) => sum + count, 0)
    if (ofClient >= MOST_CALLS_OF_ONE || ofAll >= MOST_CALLS) throw new Error('too many calls are under way')
    underWay.set(client, ofClient + 1)
    try {
      return await call(url, request)
    } finally {
      const left = (underWay.get(client) ?? 1) - 1
      if (left === 0) underWay.delete(client)
      else underWay.set(client, left)
    }
  }
}

async function call(url: string, request: Omit<BoundedRequest, 'client'>): Promise<BoundedAnswer> {
  // Never to where it redirects: what is sent may be a secret, what comes back is believed.
  const signal = timeoutSignal(ANSWERED_WITHIN_MS)
  const response = await fetch(url, { ...request, redirect: 'manual', signal })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await readText(response),
    date: response.headers.get('date'),
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
