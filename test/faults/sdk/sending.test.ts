import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  ApiError,
  ConnectionError,
  createClient,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../../sdk/src/index.ts'
import type { Client, ClientOptions } from '../../../sdk/src/index.ts'
import { errors } from '../../../src/errors.ts'
import { serving } from '../../support/http/serving.ts'
import type { Serving } from '../../support/http/serving.ts'
import { until } from '../../support/until.ts'

type Reply = (response: ServerResponse) => void

const secret = `pls_${'s'.repeat(49)}`
const key = { keyId: 'plk_0123456789012345678901', keySecret: secret }

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (code: keyof typeof errors, headers?: Record<string, string>): Reply =>
  json(errors[code].status, { error: { message: errors[code].message, code } }, headers)
const user = json(200, { user: { email: 'ana@example.com' } })

/** A client of a server that gives these answers in turn, repeating the last one; token exchanges succeed. */
async function answeredBy(
  t: TestContext,
  replies: readonly Reply[],
  options: Partial<ClientOptions> = {},
): Promise<Serving & { client: Client; calls: () => string[]; exchanges: () => number }> {
  let exchanges = 0
  let calls = 0
  const server = await serving(t, (request, response) => {
    if (request.url === '/auth/api/token')
      return json(200, { token: `token-${++exchanges}`, expiresInSeconds: 3600 })(response)
    replies[Math.min(calls++, replies.length - 1)]?.(response)
  })
  const client = createClient({ baseUrl: server.url, ...key, ...options } as ClientOptions)
  return {
    ...server,
    client,
    exchanges: () => exchanges,
    calls: () => server.requests.filter((line) => !line.includes('/auth/api/token')),
  }
}

const link = { body: { amount: 1, title: 'a' } }
const once = { ...link, params: { header: { 'idempotency-key': 'k' } } }

describe('a 401', { concurrency: true }, () => {
  test('causes one fresh token and one retry, body included, and never a third try', async (t) => {
    const server = await answeredBy(t, [refusal('UNAUTHORIZED')])
    await assert.rejects(server.client.POST('/payment-links', link), UnauthorizedError)
    assert.deepEqual(server.calls(), Array(2).fill('POST /payment-links {"amount":1,"title":"a"}'))
    assert.equal(server.exchanges(), 2)
  })
})

describe('Retry-After', { concurrency: true }, () => {
  test('of a 429 is waited for, whatever the method', async (t) => {
    const server = await answeredBy(t, [
      refusal('RATE_LIMITED', { 'retry-after': '1' }),
      json(201, { paymentLink: {} }),
    ])
    const startedMs = performance.now()
    await server.client.POST('/payment-links', link)
    assert.ok(performance.now() - startedMs >= 999)
    assert.equal(server.calls().length, 2)
  })

  test('of a 503 is waited for only if the call can be repeated', async (t) => {
    const away = refusal('UNAVAILABLE', { 'retry-after': '1' })
    const calls = [
      [(client: Client) => client.GET('/users/me'), 2],
      [(client: Client) => client.POST('/payment-links', once), 2],
      [(client: Client) => client.POST('/payment-links', link), 1],
      [(client: Client) => client.PATCH('/users/me', { body: { name: 'a' } }), 1],
    ] as const
    const made = calls.map(async ([call, count]) => {
      const server = await answeredBy(t, [away, user])
      await call(server.client).catch((error: unknown) =>
        assert.ok(error instanceof UnavailableError && error.retryAfterSeconds === 1),
      )
      assert.equal(server.calls().length, count)
    })
    await Promise.all(made)
  })

  test('as a date counts from the date of the answer, not from the local clock', async (t) => {
    const date = { date: 'Fri, 01 Jan 2100 00:00:00 GMT', 'retry-after': 'Fri, 01 Jan 2100 00:00:01 GMT' }
    const server = await answeredBy(t, [refusal('RATE_LIMITED', date), user])
    await server.client.GET('/users/me')
    assert.equal(server.calls().length, 2)
  })

  test('beyond the longest wait is reported at once instead', async (t) => {
    const later = refusal('RATE_LIMITED', { 'retry-after': '31', 'x-request-id': 'r-1' })
    const server = await answeredBy(t, [later])
    await assert.rejects(server.client.GET('/users/me'), (error) => {
      assert.ok(error instanceof RateLimitedError)
      assert.deepEqual([error.retryAfterSeconds, error.requestId], [31, 'r-1'])
      return true
    })
    const never = await answeredBy(t, [refusal('UNAVAILABLE', { 'retry-after': '0' })], { longestWaitSeconds: 0 })
    await assert.rejects(never.client.GET('/users/me'), UnavailableError)
    for (const { calls } of [server, never]) assert.equal(calls().length, 1)
  })

  test('is not waited for once the caller aborts, and neither is an answer', async (t) => {
    for (const reply of [refusal('UNAVAILABLE', { 'retry-after': '20' }), () => {}]) {
      const server = await answeredBy(t, [reply])
      const controller = new AbortController()
      const call = server.client.GET('/users/me', { signal: controller.signal })
      await until(() => server.calls().length === 1)
      controller.abort(new Error('closing'))
      await assert.rejects(call, { name: 'Error', message: 'closing' })
      assert.equal(server.calls().length, 1)
    }
  })

  test('that repeats is waited for until the longest wait is used up, never in a busy loop', async (t) => {
    const server = await answeredBy(t, [refusal('UNAVAILABLE', { 'retry-after': '0' })], { longestWaitSeconds: 2 })
    await assert.rejects(server.client.GET('/users/me'), UnavailableError)
    assert.equal(server.calls().length, 3)
  })
})

describe('an exchange', { concurrency: true }, () => {
  test('waits for an unavailable service, and then the call is made', async (t) => {
    let asked = 0
    const server = await serving(t, (request, response) => {
      if (request.url !== '/auth/api/token') user(response)
      else if (asked++ === 0) refusal('UNAVAILABLE', { 'retry-after': '1' })(response)
      else json(200, { token: 'token-1', expiresInSeconds: 3600 })(response)
    })
    await createClient({ baseUrl: server.url, ...key }).GET('/users/me')
    assert.equal(asked, 2)
  })

  test('without a valid token is an unexpected answer, and its content is not shown', async (t) => {
    for (const body of [
      {},
      null,
      [],
      { token: `${secret}\r\n`, expiresInSeconds: 3600 },
      { token: 'token-1' },
      { token: 'token-1', expiresInSeconds: 'soon' },
    ]) {
      const server = await serving(t, (_request, response) => json(200, body)(response))
      await assert.rejects(createClient({ baseUrl: server.url, ...key }).GET('/users/me'), (error) => {
        assert.ok(error instanceof UnexpectedAnswerError && !inspect(error, { depth: 20 }).includes(secret))
        return true
      })
      assert.equal(server.requests.length, 1)
    }
  })

  test('is not started for an aborted call', async (t) => {
    const server = await answeredBy(t, [user])
    let sent = 0
    const counted = (request: Request): Promise<Response> => {
      sent++
      return fetch(request)
    }
    const client = createClient({ baseUrl: server.url, ...key, fetch: counted })
    await assert.rejects(client.GET('/users/me', { signal: AbortSignal.abort() }), { name: 'AbortError' })
    await setImmediate()
    assert.equal(sent, 0)
    await client.GET('/users/me')
    assert.equal(sent, 2)
  })

  test('that one of its callers aborts continues for the others', async (t) => {
    let held: ServerResponse | undefined
    const server = await serving(t, (request, response) => {
      if (request.url === '/auth/api/token') held = response
      else user(response)
    })
    const client = createClient({ baseUrl: server.url, ...key })
    const controller = new AbortController()
    const abortedCall = client.GET('/users/me', { signal: controller.signal })
    const other = client.GET('/users/me')
    await until(() => held !== undefined)
    controller.abort()
    await assert.rejects(abortedCall, { name: 'AbortError' })
    json(200, { token: 'token-1', expiresInSeconds: 3600 })(held as unknown as ServerResponse)
    assert.equal((await other).data.user.email, 'ana@example.com')
    assert.equal(server.requests.filter((line) => line.includes('/auth/api/token')).length, 1)
  })
})

describe('an unexpected answer:', { concurrency: true }, () => {
  test('a redirect is not followed, and its target sees neither key nor token', async (t) => {
    const thief = await serving(t, (_request, response) => user(response))
    for (const status of [301, 302, 303, 307, 308]) {
      const redirect = (response: ServerResponse) =>
        void response.writeHead(status, { location: `${thief.url}/users/me` }).end()
      const server = await answeredBy(t, [redirect])
      await assert.rejects(
        server.client.GET('/users/me'),
        (error) => error instanceof UnexpectedAnswerError && error.status === status,
      )
      const exchanging = await serving(t, (_request, response) => redirect(response))
      await assert.rejects(createClient({ baseUrl: exchanging.url, ...key }).GET('/users/me'), UnexpectedAnswerError)
    }
    assert.deepEqual(thief.requests, [])
  })

  test('a page of a proxy is reported by its status, good or bad, and is not shown', async (t) => {
    const page = (status: number) => (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '60' }).end(`<h1>${secret}</h1>`)
    for (const status of [200, 403, 502]) {
      const { client } = await answeredBy(t, [page(status)])
      await assert.rejects(client.GET('/users/me'), (error) => {
        assert.ok(error instanceof UnexpectedAnswerError && error.status === status && error.retryAfterSeconds === 60)
        assert.ok(!inspect(error).includes(secret))
        return true
      })
    }
    const { client } = await answeredBy(t, [json(500, { error: 'text' })])
    await assert.rejects(client.GET('/users/me'), UnexpectedAnswerError)
  })

  test('an unknown code is an error of the base class', async (t) => {
    for (const code of ['BRAND_NEW', 'constructor', '__proto__']) {
      const { client } = await answeredBy(t, [json(418, { error: { code, message: 'New.' } })])
      await assert.rejects(
        client.GET('/users/me'),
        (error) => error instanceof ApiError && error.name === 'ApiError' && error.code === code,
      )
    }
  })

  test('a timeout ends the call also if garbage is collected meanwhile', async (t) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const collecting = setInterval(collect, 100)
    t.after(() => clearInterval(collecting))
    const silent = await answeredBy(t, [() => {}], { timeoutSeconds: 1 })
    const given = new AbortController()
    const late = setTimeout(() => given.abort(new Error('the timeout is lost')), 10_000)
    t.after(() => clearTimeout(late))
    const call = silent.client.GET('/users/me', { signal: given.signal })
    await assert.rejects(call, /has not answered within 1 seconds/)
  })

  test('a failed connection, a broken answer and a timeout are connection errors and are not repeated', async (t) => {
    const broken = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"user":')
      void setImmediate().then(() => response.destroy())
    }
    for (const reply of [broken, (response: ServerResponse) => void response.destroy()]) {
      const server = await answeredBy(t, [reply])
      await assert.rejects(server.client.POST('/payment-links', link), (error) => {
        assert.ok(error instanceof ConnectionError && error.cause instanceof Error)
        assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /token-1|pls_/)
        return true
      })
      assert.equal(server.calls().length, 1)
    }
    // On a busy machine the exchange before the call takes more than a second.
    const silent = await answeredBy(t, [() => {}], { timeoutSeconds: 5 })
    await assert.rejects(silent.client.POST('/payment-links', link), /has not answered within 5 seconds/)
    assert.equal(silent.calls().length, 1)
  })
})
