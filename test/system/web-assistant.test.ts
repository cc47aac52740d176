/** An assistant connects, as a person sees it: the official client, the consent page in Chromium, a call, the end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { appsOf, startApp } from '../support/accounts/apps.ts'
import { Assistant } from '../support/accounts/assistant.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'
import { callTool, refusalOf } from '../support/http/mcp.ts'

let web: Web
before(async () => {
  web = await startWeb()
})
after(() => web.stop())

test('a person lets an assistant create links of at most 5 EUR, and ends its access', async (t) => {
  const assistant = new Assistant(await startApp(t), web.origin)
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${web.origin}/api/v1/mcp`), { authProvider: assistant })
  const first = transport()
  await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError)

  const frontend = new URL(assistant.redirectUrl).origin
  const { page, context, assertClean } = await web.openPage({ frontend })
  const token = await web.signInWithGoogle('ana@gmail.com', 'Ana')
  await page.goto('/healthz')
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await context.route(`${frontend}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">Connected' }),
  )
  await page.goto(assistant.sentTo[0]?.href ?? '')
  await page.getByText('Limits on amounts, currencies and networks').click()
  await page.getByLabel('Per link, EUR').fill('5')
  await page.locator('button[aria-disabled=false]', { hasText: 'Allow' }).click()
  await page.waitForURL(`${assistant.redirectUrl}?**`)
  const returned = new URL(page.url()).searchParams
  assert.deepEqual([returned.get('state'), returned.get('iss')], ['some state', web.origin])
  await assertClean()

  await first.finishAuth(returned.get('code') ?? '')
  const client = new Client({ name: 'test', version: '1' })
  t.after(() => client.close())
  await client.connect(transport())
  const lunch = { amount: 500, currency: 'EUR', title: 'Lunch', idempotencyKey: 'lunch' }
  const { paymentLink } = await callTool(client, 'create_payment_link', lunch)
  const dinner = { ...lunch, amount: 501, idempotencyKey: 'dinner' }
  assert.match(await refusalOf(client, 'create_payment_link', dinner), /at most 5\.00 EUR each/)

  const service = { call: (...call: Parameters<Web['callApi']>) => web.callApi(...call) }
  const links = (await service.call('GET /payment-links', { token })).body.paymentLinks
  assert.deepEqual(
    links.map(({ id }: { id: string }) => id),
    [paymentLink.id],
  )
  const [app] = await appsOf(service, token)
  await service.call(`POST /auth/apps/${app.id}/revoke`, { token })
  await assert.rejects(client.callTool({ name: 'who_am_i' }), UnauthorizedError)
})
