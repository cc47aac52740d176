/** HTTP calls as a program makes them, to a service in the test's process or in one of its own. */

/** An answer with its body read. `body` is what JSON it was, `text` what it was to the letter. */
export type Answer = Readonly<{ status: number; headers: Headers; text: string; body: any }>

/** A request: `body` is sent as JSON, `token` as a bearer token. */
export type Call = Readonly<{
  body?: unknown
  token?: string
  headers?: Readonly<Record<string, string>>
  /** Cuts the connection, whatever has been answered by then. */
  signal?: AbortSignal
}>

/**
 * Calls a service.
 * @param route method and what follows `base`, for example `POST /auth/request`; no redirect is followed
 */
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
