/** HTTP calls as a program makes them, to a service in this process or another one. */
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'

/** A complete answer: `text` is the body as received, `body` its parsed JSON. */
export type Answer = Readonly<{ status: number; headers: Headers; text: string; body: any }>

/** `body` is sent as JSON, `token` as a bearer token. */
export type Call = Readonly<{
  body?: unknown
  token?: string
  headers?: Readonly<Record<string, string>>
  /** Aborts the connection at any point. */
  signal?: AbortSignal
}>

/** What `fetch` of Node sends, without compression. */
const DEFAULTS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

const agent = new Agent({ keepAlive: true })

/**
 * Calls a service, without following redirects; `route` is for example `POST /auth/request`, below `base`. Not by
 * `fetch`, which would take three quarters of the processor time of a test that only calls.
 */
export async function callAt(base: string, route: string, call: Call = {}): Promise<Answer> {
  const { body, token, headers = {}, signal } = call
  const [method = 'GET', path = '/'] = route.split(' ')
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await send(base + path, sent, {
    method,
    agent,
    ...(signal && { signal }),
    headers: {
      ...DEFAULTS,
      ...(sent === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })
  const text = await textOf(response)
  const answered = headersOf(response)
  const isJson = answered.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.statusCode ?? 0,
    headers: answered,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

const send = (url: string, body: string | undefined, options: object): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body)
  })

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
