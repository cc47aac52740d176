/** HTTP calls as a program makes them, to a service in this process or another one. */

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

/** Calls a service, without following redirects; `route` is for example `POST /auth/request`, below `base`. */
export async function callAt(
  base: string,
  route: string,
  { body, token, headers = {}, signal }: Call = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    ...(signal && { signal }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
