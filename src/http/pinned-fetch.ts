/** Fetches a URL from addresses that the caller has checked: the name is not resolved again. */
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6 } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { PinnedFetch, PinnedRequest } from '../domain/oauth/client-documents.ts'
import { timeoutSignal } from '../lib/clock.ts'

/**
 * A `GET` without credentials and without redirects, on a connection of its own.
 * @throws when it exceeds a bound, the answer is incomplete, compressed or not UTF-8, or the certificate is not that of
 * the URL's host
 */
export const fetchPinned: PinnedFetch = async (url, request) => {
  const signal = timeoutSignal(request.timeoutMs)
  const response = await send(url, request, signal)
  try {
    const { statusCode: status = 0, headers } = response
    if (headers['content-encoding'] !== undefined) throw new Error('the answer is compressed')
    return {
      status,
      contentType: headers['content-type'] ?? '',
      cacheControl: headers['cache-control'] ?? '',
      age: headers.age ?? '',
      text: await readText(response, request.maxBytes),
    }
  } finally {
    response.destroy()
  }
}

function send(url: URL, { addresses, accept }: PinnedRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const pinned = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const [first] = pinned
  if (first === undefined) throw new Error('no address')
  const lookup: LookupFunction = (_host, { all }, done) =>
    all === true ? done(null, pinned) : done(null, first.address, first.family)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'paylink-auth' }
    request(url, { agent: false, headers, lookup, signal }, resolve).on('error', reject).end()
  })
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error('the answer is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
