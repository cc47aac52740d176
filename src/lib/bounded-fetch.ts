/** Outgoing HTTP calls, bounded in time and size, without redirects. */
import { timeoutSignal } from './clock.ts'

const TIMEOUT_MS = 3000
/** In bytes, decompressed. */
const MAX_ANSWER_BYTES = 128 * 1024
/** Concurrent calls on behalf of clients: a hanging server must not fill the memory. */
const MAX_CALLS = 100
/** So that one client cannot occupy all of them. */
const MAX_CALLS_PER_CLIENT = 5

export type BoundedRequest = Readonly<{
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: NonNullable<RequestInit['body']>
  /** The network of the client that caused the call, if one did. */
  client?: string
}>

export type BoundedAnswer = Readonly<{
  status: number
  contentType: string
  text: string
  /** The `Date` header field (RFC 9110, section 6.6.1). */
  date: string | null
}>

/** @throws when the call exceeds a bound, or the answer is incomplete */
export type BoundedFetch = (url: string, request?: BoundedRequest) => Promise<BoundedAnswer>

/** The limits apply to all calls of one instance. */
export function createBoundedFetch(): BoundedFetch {
  const inProgress = new Map<string, number>()
  return async (url, { client, ...request } = {}) => {
    if (client === undefined) return call(url, request)
    const ofClient = inProgress.get(client) ?? 0
    const ofAll = inProgress.values().reduce((sum, count) => sum + count, 0)
    if (ofClient >= MAX_CALLS_PER_CLIENT || ofAll >= MAX_CALLS) throw new Error('too many calls in progress')
    inProgress.set(client, ofClient + 1)
    try {
      return await call(url, request)
    } finally {
      const left = (inProgress.get(client) ?? 1) - 1
      if (left === 0) inProgress.delete(client)
      else inProgress.set(client, left)
    }
  }
}

async function call(url: string, request: Omit<BoundedRequest, 'client'>): Promise<BoundedAnswer> {
  // No redirects: the request may contain a secret, and the answer is trusted.
  const signal = timeoutSignal(TIMEOUT_MS)
  const response = await fetch(url, { ...request, redirect: 'manual', signal }).catch((error: Error) => {
    // Says why, where the error itself says only "fetch failed".
    throw error.cause instanceof Error ? error.cause : error
  })
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
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
