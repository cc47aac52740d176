/**
 * An assistant that knows only the address of `/mcp`: the official client finds the metadata, a person consents, the
 * client calls tools within the consent, the person ends it.
 */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { appsOf, decide, inspect, startApp } from '../support/accounts/apps.ts'
import { Assistant } from '../support/accounts/assistant.ts'
import { listAllIds } from '../support/accounts/payment-links.ts'
import { assertNothingHappens } from '../support/database/state.ts'
import { assertError } from '../support/http/answers.ts'
import { callTool, refusalOf } from '../support/http/mcp.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service
let owner: string
before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

const transportFor = (authProvider: Assistant) =>
  new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { authProvider })
const newClient = () => new Client({ name: 'test', version: '1' })

/** What the consent page does: shows what is asked for, and gives it within these restrictions. */
async function consentTo(url: URL, restrictions: object): Promise<URL> {
  assert.equal(url.origin + url.pathname, `${service.baseUrl}/oauth/authorize`)
  const query = url.search.slice(1)
  const { body } = await inspect(service, owner, query)
  assert.deepEqual([body.refused, body.request.resource], [null, `${service.baseUrl}/mcp`])
  assert.deepEqual(body.request.scopes, ['account:read', 'payment_links:read', 'payment_links:write'])
  const decided = await decide(service, owner, { requestId: body.request.id, allow: true, restrictions })
  assert.equal(decided.status, 200, decided.text)
  return new URL(decided.body.redirectTo)
}

test('the client finds its way to a consent, calls tools within it and nothing else, until the person ends it [A52]', async (t) => {
  const assistant = new Assistant(await startApp(t), service.origin)
  const first = transportFor(assistant)
  await assert.rejects(newClient().connect(first), UnauthorizedError)
  const [url] = assistant.sentTo
  assert.ok(url)
  const back = await consentTo(url, {
    scopes: ['account:read', 'payment_links:read', 'payment_links:write'],
    dailyAmount: { EUR: 5000 },
  })
  assert.deepEqual(
    [back.origin + back.pathname, back.searchParams.get('state'), back.searchParams.get('iss')],
    [assistant.redirectUrl, 'some state', service.origin],
  )
  await first.finishAuth(back.searchParams.get('code') ?? '')
  const client = newClient()
  t.after(() => client.close())
  await client.connect(transportFor(assistant))

  const { user, restrictions } = await callTool(client, 'who_am_i')
  assert.equal(user.email, 'ana@example.com')
  assert.deepEqual(restrictions.dailyAmount, { EUR: 5000 })
  const lunch = { amount: 4500, currency: 'EUR', title: 'Lunch', idempotencyKey: 'order-1' }
  const { paymentLink } = await callTool(client, 'create_payment_link', lunch)
  assert.deepEqual(await listAllIds(service, owner), [paymentLink.id])

  const token = assistant.tokens()?.access_token ?? ''
  await assertNothingHappens(service, async () => {
    assert.match(
      await refusalOf(client, 'create_payment_link', { ...lunch, idempotencyKey: 'order-2' }),
      /5\.00 EUR is left/,
    )
    for (const route of ['GET /users/me', 'GET /payment-links', 'GET /auth/api-keys', 'POST /auth/api-keys'])
      assertError(await service.call(route, { token }), 'UNAUTHORIZED')
  })

  const [app] = await appsOf(service, owner)
  assert.equal((await service.call(`POST /auth/apps/${app.id}/revoke`, { token: owner })).status, 200)
  await assertNothingHappens(service, async () => {
    const input = { ...lunch, amount: 1, idempotencyKey: 'order-3' }
    await assert.rejects(client.callTool({ name: 'create_payment_link', arguments: input }), UnauthorizedError)
  })
  assert.equal(assistant.sentTo.length, 2, 'the client asks the person again')
})

test('a consent that was narrowed to reading shows the tools that read', async (t) => {
  const assistant = new Assistant(await startApp(t), service.origin)
  const first = transportFor(assistant)
  await assert.rejects(newClient().connect(first), UnauthorizedError)
  const back = await consentTo(assistant.sentTo[0] ?? new URL('about:blank'), { scopes: ['payment_links:read'] })
  await first.finishAuth(back.searchParams.get('code') ?? '')
  const client = newClient()
  t.after(() => client.close())
  await client.connect(transportFor(assistant))
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ['get_payment_link', 'list_payment_links'])
})
