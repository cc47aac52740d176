import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { freePort } from '../../support/files.ts'
import { serving } from '../../support/http/serving.ts'
import { startProtectedServices } from '../../support/sdk/protected-backends.ts'

const allowed = { 'x-user-id': 'ana', 'x-user-role': 'USER', 'x-currency': 'RON' }

async function assertNoCallPasses(
  t: TestContext,
  baseUrl: string,
  retryAfter: string,
  why: RegExp,
  timeoutSeconds = 60,
): Promise<void> {
  const reasons: string[] = []
  const behind = await startProtectedServices({
    baseUrl,
    timeoutSeconds,
    onUnavailable: ({ message }) => void reasons.push(message),
  })
  t.after(() => Promise.all(behind.map(({ close }) => close())))
  const allRefuse = behind.map(async ({ framework, ask, reached }) => {
    const answer = await ask('/invoices', { authorization: 'Bearer abc.def.ghi' })
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, retryAfter], framework)
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'UNAVAILABLE', framework)
    assert.equal(reached(), 0, framework)
  })
  await Promise.all(allRefuse)
  assert.equal(reasons.length, behind.length)
  for (const reason of reasons) assert.match(reason, why)
}

test('no call passes while nothing listens', async (t) => {
  await assertNoCallPasses(t, `http://127.0.0.1:${await freePort()}`, '1', /could not be reached/)
})

test('no call passes while the answer is late', async (t) => {
  const { url } = await serving(t, () => {})
  await assertNoCallPasses(t, url, '1', /within 1 seconds/, 1)
})

test('no call passes on an answer other than the check’s 200, whatever its header fields', async (t) => {
  const answers: readonly ((response: ServerResponse) => void)[] = [
    ...[201, 204, 206, 403, 404, 429, 500, 502].map(
      (status) => (response: ServerResponse) => void response.writeHead(status, allowed).end(),
    ),
    (response) => void response.writeHead(403, { 'www-authenticate': 'Basic realm="firewall"' }).end(),
    (response) => void response.writeHead(302, { ...allowed, location: '/elsewhere' }).end(),
    (response) => void response.writeHead(200, { 'x-user-role': 'USER' }).end('{}'),
    (response) => void response.writeHead(200, { 'x-user-id': 'ana' }).end('{}'),
    (response) => void response.writeHead(200, { ...allowed, 'x-user-id': '' }).end('{}'),
  ]
  for (const answer of answers) {
    const { url, requests } = await serving(t, (_request, response) => answer(response))
    await assertNoCallPasses(t, url, '1', /Unexpected answer to GET .auth.check|a redirect|has no `X-User-(Id|Role)`/)
    assert.deepEqual(new Set(requests), new Set(['GET /auth/check']), 'a redirect is not followed')
  }
})

test('with requireClaimed no call passes while the service does not say whether the account is claimed', async (t) => {
  const { url } = await serving(t, (_request, response) => void response.writeHead(200, allowed).end())
  const reasons: string[] = []
  const settings = { baseUrl: url, onUnavailable: ({ message }: Error) => void reasons.push(message) }
  const behind = await startProtectedServices(settings)
  const guarded = await startProtectedServices({ ...settings, requireClaimed: true })
  t.after(() => Promise.all([...behind, ...guarded].map(({ close }) => close())))
  for (const { framework, ask } of behind) {
    const answer = await ask('/invoices')
    assert.equal(((await answer.json()) as { claimed: boolean }).claimed, false, framework)
  }
  for (const { framework, ask, reached } of guarded)
    assert.deepEqual([(await ask('/invoices')).status, reached()], [503, 0], framework)
  const reason =
    'The answer to GET /auth/check has no `X-Account-Claimed`: upgrade paylink-auth, or let the proxy pass the field on.'
  assert.deepEqual(
    reasons,
    guarded.map(() => reason),
  )
})

test('the service’s Retry-After and X-Request-Id are passed on', async (t) => {
  const fields = { 'retry-after': '7', 'x-request-id': 'of-the-service' }
  const { url } = await serving(t, (_request, response) => void response.writeHead(503, fields).end())
  await assertNoCallPasses(t, url, '7', /status 503/)
  const behind = await startProtectedServices({ baseUrl: url })
  t.after(() => Promise.all(behind.map(({ close }) => close())))
  for (const { framework, ask } of behind)
    assert.equal((await ask('/invoices')).headers.get('x-request-id'), 'of-the-service', framework)
})
