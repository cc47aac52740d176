/** A misbehaving server. `/NAME/TROUBLE` is a base URL, for a client of this name; it exchanges any key. */
import type { TestContext } from 'node:test'
import { serving } from '../http/serving.ts'
import type { Serving } from '../http/serving.ts'

/** The server ends with the test. CORS allows any origin. */
export function startMisbehavingServer(t: Pick<TestContext, 'after'>): Promise<Serving> {
  const seen = new Set<string>()
  return serving(t, (request, response, body) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    response.setHeader('access-control-expose-headers', 'retry-after')
    const json = (status: number, answer: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
    const [, name = '', trouble = ''] = request.url?.split('/') ?? []
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (request.url?.endsWith('/auth/api/token')) return json(200, { token: 'token', expiresInSeconds: 3600 })
    const isFirst = !seen.has(name + trouble)
    seen.add(name + trouble)
    if (trouble === 'refused-once') return isFirst ? json(401, {}) : json(201, JSON.parse(body))
    if (trouble === 'away' || trouble === 'busy-once') {
      response.setHeader('retry-after', trouble === 'away' ? '20' : '1')
      return trouble === 'away' || isFirst ? json(503, {}) : json(200, 'now')
    }
    if (trouble === 'redirect') return void response.writeHead(302, { location: '/thief' }).end()
    if (trouble === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  })
}
