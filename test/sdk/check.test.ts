/** Behind the middlewares the caller is the one the service names at that moment, and its refusals arrive unchanged. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import express from 'express'
import { paylinkAuth } from '../../sdk/src/express.ts'
import { grantableScopes } from '../../src/domain/keys/restrictions/scopes.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { startProtectedServices } from '../support/sdk/protected-backends.ts'
import type { ServiceBehind } from '../support/sdk/protected-backends.ts'
import { userOf } from '../support/database/state.ts'

let service: Service
let behind: ServiceBehind[]

before(async () => {
  service = await startService()
  behind = await startProtectedServices({ baseUrl: service.baseUrl })
})
after(async () => {
  await Promise.all(behind.map(({ close }) => close()))
  await service.close()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('the caller has the account, role, key and currency that the service returns, whatever the request claims', async () => {
  const person = await service.signIn('ana@example.com')
  const key = await createKey(service, person)
  const program = await tokenOf(service, key)
  const { id } = await userOf(service.db, 'ana@example.com')
  const forged = { 'x-user-id': 'bob', 'x-user-role': 'ADMIN', 'x-api-key-id': 'forged' }
  for (const { framework, ask } of behind) {
    const asPerson = await ask('/invoices', { ...bearer(person), ...forged })
    const { requestId, ...caller } = (await asPerson.json()) as { requestId: string }
    assert.deepEqual(
      caller,
      { userId: id, role: 'USER', apiKeyId: null, scopes: null, claimed: true, currency: 'RON' },
      framework,
    )
    assert.match(requestId, /^[\da-f-]{36}$/, framework)
    const own = { 'x-currency': 'EUR', 'x-request-id': 'of-the-caller' }
    const asProgram = await ask('/invoices', { ...bearer(program), ...own }, 'POST')
    assert.deepEqual(
      await asProgram.json(),
      {
        userId: id,
        role: 'USER',
        apiKeyId: key.apiKey.id,
        scopes: grantableScopes,
        claimed: true,
        currency: 'EUR',
        requestId: 'of-the-caller',
      },
      framework,
    )
    assert.deepEqual(await (await ask('/open', bearer(person))).json(), { auth: null }, framework)
  }
})

test('a refusal of the service is passed on unchanged, and the handler is not reached', async () => {
  const token = await service.signIn('ana@example.com')
  const refused: readonly Record<string, string>[] = [
    {},
    bearer('abc.def.ghi'),
    { authorization: 'Basic YTpi' },
    { ...bearer(token), 'x-currency': 'USD' },
    { ...bearer(token), 'x-currency': '' },
  ]
  for (const headers of refused) {
    const own = await service.call('GET /auth/check', { headers })
    for (const { framework, ask, reached } of behind) {
      const reachedBefore = reached()
      for (const [method, path] of [
        ['GET', '/invoices'],
        ['POST', '/invoices'],
        ['GET', '/invoices/1'],
      ] as const) {
        const answer = await ask(path, headers, method)
        assert.deepEqual([answer.status, await answer.text()], [own.status, own.text], framework)
        for (const name of ['www-authenticate', 'content-type', 'cache-control']) {
          assert.equal(answer.headers.get(name), own.headers.get(name), `${framework} ${name}`)
        }
      }
      assert.equal(reached(), reachedBefore, framework)
    }
  }
})

test('with requireClaimed an unclaimed account gets 403 until its address is proven, and does not reach the handler', async (t) => {
  const { body } = await service.call('POST /auth/api/signup', { body: { email: 'eve@example.com' } })
  const guarded = await startProtectedServices({ baseUrl: service.baseUrl, requireClaimed: true })
  t.after(() => Promise.all(guarded.map(({ close }) => close())))
  const forged = { ...bearer(body.token), 'x-account-claimed': 'true', 'x-request-id': 'of-the-caller' }
  for (const { framework, ask, reached } of guarded) {
    const answer = await ask('/invoices', forged)
    assert.deepEqual([answer.status, reached()], [403, 0], framework)
    assert.equal(answer.headers.get('cache-control'), 'no-store', framework)
    assert.equal(answer.headers.get('x-request-id'), 'of-the-caller', framework)
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    assert.equal(error.code, 'EMAIL_NOT_VERIFIED', framework)
    assert.match(error.message, /magic link/, framework)
    assert.equal((await ask('/invoices')).status, 401, framework)
  }
  for (const { framework, ask } of behind) {
    const caller = (await (await ask('/invoices', forged)).json()) as { claimed: boolean }
    assert.equal(caller.claimed, false, framework)
  }
  const owner = await service.signIn('eve@example.com')
  for (const { framework, ask } of guarded) {
    assert.equal((await ask('/invoices', bearer(owner))).status, 200, framework)
    assert.equal((await ask('/invoices', forged)).status, 401, framework)
  }
})

test('a restricted key’s token reaches only routes of a scope that it has, until the key is narrowed', async (t) => {
  const person = await service.signIn('ana@example.com')
  const key = await createKey(service, person, { restrictions: { scopes: ['payment_links:read', 'events:read'] } })
  const token = await tokenOf(service, key)
  const scoped = await startProtectedServices({ baseUrl: service.baseUrl, scope: 'payment_links:read' })
  t.after(() => Promise.all(scoped.map(({ close }) => close())))
  const own = await service.call('GET /auth/check', { token })
  assert.equal(own.status, 403)
  for (const { framework, ask, reached } of behind) {
    const reachedBefore = reached()
    const answer = await ask('/invoices', bearer(token))
    assert.deepEqual([answer.status, await answer.text()], [403, own.text], framework)
    assert.equal(answer.headers.get('www-authenticate'), own.headers.get('www-authenticate'), framework)
    assert.equal(reached(), reachedBefore, framework)
  }
  for (const { framework, ask } of scoped) {
    const caller = (await (await ask('/invoices', bearer(token))).json()) as { scopes: string[] }
    assert.deepEqual(caller.scopes, ['events:read', 'payment_links:read'], framework)
    assert.equal((await ask('/invoices', bearer(person))).status, 200, framework)
  }
  const body = { restrictions: { scopes: ['events:read'] } }
  await service.call(`PATCH /auth/api-keys/${key.apiKey.id}`, { token: person, body })
  for (const { framework, ask, reached } of scoped) {
    const answer = await ask('/invoices', bearer(token))
    const { error } = (await answer.json()) as { error: { code: string } }
    assert.deepEqual([answer.status, error.code, reached()], [403, 'INSUFFICIENT_SCOPE', 2], framework)
    assert.match(answer.headers.get('www-authenticate') ?? '', /scope="payment_links:read"/, framework)
  }
})

test('a key restricted to a network is refused from elsewhere, also if the client claims to be in it', async (t) => {
  const trusting = await startService({ TRUST_PROXY: '127.0.0.1' })
  const within = await startProtectedServices({ baseUrl: trusting.baseUrl })
  t.after(() => Promise.all([...within.map(({ close }) => close()), trusting.close()]))
  const networks = ['127.0.0.0/30']
  const person = await trusting.signIn('ana@example.com')
  const key = await createKey(trusting, person, { restrictions: { networks } })
  const token = await tokenOf(trusting, key)
  for (const { framework, statusFrom } of within) {
    const claim = { ...bearer(token), 'x-forwarded-for': '127.0.0.2' }
    const statuses = [
      await statusFrom('127.0.0.2', '/invoices', bearer(token)),
      await statusFrom('127.0.0.9', '/invoices', claim),
    ]
    assert.deepEqual(statuses, [200, 401], framework)
  }
})

test('a revoked token is refused from the next request on', async () => {
  for (const { framework, ask } of behind) {
    const token = await service.signIn('ana@example.com')
    assert.equal((await ask('/invoices', bearer(token))).status, 200, framework)
    await service.call('POST /auth/tokens/revoke', { token })
    assert.equal((await ask('/invoices', bearer(token))).status, 401, framework)
  }
})

test('a Fastify route without the plugin gets no identity', async () => {
  const fastify = behind.find(({ framework }) => framework === 'Fastify')
  assert.equal((await fastify?.ask('/open/by-mistake'))?.status, 500)
})

test('an upgrade request is checked like any other, but Express does not see a server’s upgrade event', async () => {
  const app = express()
  app.use(paylinkAuth({ baseUrl: service.baseUrl }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = () => sendRaw(origin, ['GET /socket HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'])
  assert.equal((await ask()).status, 401)
  server.on('upgrade', (_request, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  assert.equal((await ask()).status, 101, 'as sdk/README.md documents')
  server.close()
})
