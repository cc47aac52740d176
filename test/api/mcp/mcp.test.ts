/** `POST /mcp`: the tools as the official client calls them, with tokens of API keys. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listAllIds, publicStatusOf, readLink } from '../../support/accounts/payment-links.ts'
import { createKey, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'
import { assertError, assertSecurityHeaders, assertUncacheable } from '../../support/http/answers.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { productionLimits } from '../../support/http/limits.ts'
import { callTool, connectAssistant, refusalOf, sendMessage } from '../../support/http/mcp.ts'
import { postForm, postOf } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const ALL = ['create_payment_link', 'deactivate_payment_link', 'get_payment_link', 'list_payment_links', 'who_am_i']
const lunch = { amount: 1050, currency: 'EUR', title: 'Lunch' }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const toolCall = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

let service: Service
let owner: string
before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

/** A new key of the account, and its token. */
async function keyOf(restrictions?: object) {
  const key = await createKey(service, owner, restrictions === undefined ? {} : { restrictions })
  return { key, token: await tokenOf(service, key) }
}

test('the official client finds five tools, and what it creates, lists, gets and deactivates is what the API shows', async (t) => {
  const { key, token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  assert.equal(client.getServerVersion()?.name, 'paylink-auth')
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ALL)
  // Clients and models refuse schemas with formats that they do not know, and enumerations without a type.
  const schemas = JSON.stringify(tools)
  assert.deepEqual([...new Set(schemas.match(/"format":"[^"]+"/g))].toSorted(), [
    '"format":"date"',
    '"format":"date-time"',
  ])
  assert.equal(schemas.match(/"enum":/g)?.length, schemas.match(/"type":"string","enum":/g)?.length)

  const { user, restrictions } = await callTool(client, 'who_am_i')
  assert.deepEqual([user.email, restrictions], ['ana@example.com', null])

  const made = await callTool(client, 'create_payment_link', { ...lunch, reference: 'INV-1', idempotencyKey: 'a' })
  const { id } = made.paymentLink
  const shown = await readLink(service, token, id, { 'x-currency': 'EUR' })
  assert.deepEqual(made, { paymentLink: shown })
  assert.equal(
    (await databaseContent(service.db)).paymentLinks.find((link) => link.id === id)?.api_key_id,
    key.apiKey.id,
  )

  assert.deepEqual(await callTool(client, 'get_payment_link', { id, currency: 'EUR' }), { paymentLink: shown })
  assert.deepEqual(await callTool(client, 'list_payment_links', { reference: 'INV-1', currency: 'EUR' }), {
    paymentLinks: [shown],
    nextCursor: null,
  })
  const ended = await callTool(client, 'deactivate_payment_link', { id })
  assert.equal(ended.paymentLink.status, 'INACTIVE')
  assert.equal(await publicStatusOf(service, id), 'INACTIVE')
  const { events } = (await service.call('GET /auth/events?kind=payment_link', { token: owner })).body
  assert.deepEqual(
    events.map(({ type, byApiKeyId }: Record<string, string>) => [type, byApiKeyId]),
    [['payment_link_deactivated', key.apiKey.id]],
  )
})

test('a page continues where the one before ended', async (t) => {
  const { token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  for (const idempotencyKey of ['p1', 'p2', 'p3'])
    await callTool(client, 'create_payment_link', { ...lunch, title: 'Paged', idempotencyKey })
  const query = { search: 'paged', limit: 2 }
  const first = await callTool(client, 'list_payment_links', query)
  const second = await callTool(client, 'list_payment_links', { ...query, cursor: first.nextCursor })
  const ids = [...first.paymentLinks, ...second.paymentLinks].map(({ id }) => id)
  assert.deepEqual(ids, await listAllIds(service, token, { search: 'paged' }))
  assert.deepEqual([first.paymentLinks.length, ids.length, second.nextCursor], [2, 3, null])
})

test('a repeated creation returns the first link, also the one that the API created; other arguments are refused', async (t) => {
  const { token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  const input = { ...lunch, idempotencyKey: 'order-7' }
  const first = await callTool(client, 'create_payment_link', input)
  await assertNothingHappens(service, async () => {
    assert.deepEqual(await callTool(client, 'create_payment_link', input), first)
    const headers = { 'x-currency': 'EUR', 'idempotency-key': 'order-7' }
    const byApi = await service.call('POST /payment-links', {
      token,
      headers,
      body: { amount: 1050, title: 'Lunch' },
    })
    assert.deepEqual([byApi.status, byApi.body], [201, first])
    const refusal = await refusalOf(client, 'create_payment_link', { ...input, amount: 1051 })
    assert.match(refusal, /^This `idempotencyKey` was used for a different request .*`currency`/)
  })
})

test('ten concurrent repetitions create one link', async () => {
  const { token } = await keyOf()
  const message = toolCall('create_payment_link', { ...lunch, title: 'Once', idempotencyKey: 'once' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendMessage(service, token, message)))
  const ids = new Set(answers.map(({ body }) => body.result.structuredContent.paymentLink.id))
  assert.deepEqual([...ids], await listAllIds(service, token, { search: 'once' }))
})

test('invalid arguments are refused in words that name the argument, and nothing happens', async (t) => {
  const { token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  const right = { ...lunch, idempotencyKey: 'x' }
  const refused: [name: string, input: object, words: RegExp][] = [
    ['create_payment_link', { ...right, amount: 0 }, /`amount` must be a whole number from 1 to 99999999/],
    ['create_payment_link', { ...right, amount: '10' }, /`amount` must be a whole number .*, not a string/],
    ['create_payment_link', { ...right, amount: 10.5 }, /`amount` must be a whole number .*, not a fraction/],
    ['create_payment_link', { ...right, currency: 'USD' }, /`currency` must be one of RON, EUR, GBP/],
    ['create_payment_link', lunch, /`idempotencyKey` is required/],
    ['create_payment_link', { ...right, idempotencyKey: 'a\nb' }, /`idempotencyKey` must be 1 to 255 printable/],
    ['create_payment_link', { ...right, title: '\u202e' }, /`title` must be printable text/],
    ['create_payment_link', { ...right, expiresAt: '2020-01-01T00:00:00Z' }, /`expiresAt` must be in the future/],
    ['create_payment_link', { ...right, amonut: 1 }, /`amonut` is not a known field/],
    ['list_payment_links', { limit: 101 }, /`limit` must be a whole number from 1 to 100/],
    ['list_payment_links', { cursor: 'x' }, /`cursor` must be the `nextCursor` of an earlier page/],
    ['get_payment_link', {}, /`id` is required/],
    ['get_payment_link', { id: 'unknown' }, /^Not found\.$/],
    ['deactivate_payment_link', { id: 'unknown' }, /^Not found\.$/],
  ]
  await assertNothingHappens(service, async () => {
    for (const [name, input, words] of refused) assert.match(await refusalOf(client, name, input), words)
    await assert.rejects(client.callTool({ name: 'delete_account' }), { code: -32_602 })
    const asTask = { ...toolCall('create_payment_link', right) }
    Object.assign(asTask.params, { task: { ttl: 1000 } })
    assert.equal((await sendMessage(service, token, asTask)).body.error.code, -32_603)
  })
})

test('an optional argument may be null, and a title is trimmed', async (t) => {
  const { token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  const input = { ...lunch, title: ' Tea ', reference: null, expiresAt: null, idempotencyKey: 'tea' }
  const { paymentLink } = await callTool(client, 'create_payment_link', input)
  assert.deepEqual([paymentLink.title, paymentLink.reference, paymentLink.expiresAt], ['Tea', null, null])
})

test('a link of another account is not found', async (t) => {
  const { token } = await keyOf()
  const { paymentLink } = await callTool(await connectAssistant(service, token, t), 'create_payment_link', {
    ...lunch,
    idempotencyKey: 'mine',
  })
  const stranger = await connectAssistant(service, (await service.signUp('eve@example.com')).token, t)
  await assertNothingHappens(service, async () => {
    for (const name of ['get_payment_link', 'deactivate_payment_link'])
      assert.equal(await refusalOf(stranger, name, { id: paymentLink.id }), 'Not found.')
    assert.deepEqual((await callTool(stranger, 'list_payment_links')).paymentLinks, [])
  })
})

test('a restricted key sees the tools of its scopes only, and the others refuse with the scope that is missing', async (t) => {
  const toolsOf: Readonly<Record<string, readonly string[]>> = {
    'account:read': ['who_am_i'],
    'payment_links:read': ['get_payment_link', 'list_payment_links'],
    'payment_links:write': ['create_payment_link', 'deactivate_payment_link'],
    'keys:write': [],
  }
  const inputs: Readonly<Record<string, object>> = {
    create_payment_link: { ...lunch, idempotencyKey: 'scoped' },
    get_payment_link: { id: 'x' },
    deactivate_payment_link: { id: 'x' },
  }
  for (const [scope, seen] of Object.entries(toolsOf)) {
    const client = await connectAssistant(service, (await keyOf({ scopes: [scope] })).token, t)
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), seen)
    await assertNothingHappens(service, async () => {
      for (const name of ALL.filter((one) => !seen.includes(one)))
        assert.match(
          await refusalOf(client, name, inputs[name]),
          /^These credentials may not do this: they lack the scope `/,
        )
    })
  }
})

test('scopes that are taken from a key are gone at the next call', async (t) => {
  const { key, token } = await keyOf({ scopes: ['payment_links:read', 'payment_links:write'] })
  const client = await connectAssistant(service, token, t)
  await updateKey(service, owner, key, { restrictions: { scopes: ['payment_links:read'] } })
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ['get_payment_link', 'list_payment_links'])
  assert.match(await refusalOf(client, 'create_payment_link', { ...lunch, idempotencyKey: 'z' }), /payment_links:write/)
})

test('amounts are bounded by the key, in words, and who_am_i says so', async (t) => {
  const restrictions = { maxAmount: { EUR: 5000 }, dailyAmount: { EUR: 6000 } }
  const client = await connectAssistant(service, (await keyOf(restrictions)).token, t)
  assert.deepEqual((await callTool(client, 'who_am_i')).restrictions, restrictions)
  const make = { ...lunch, idempotencyKey: 'b1' }
  await assertNothingHappens(service, async () => {
    assert.match(await refusalOf(client, 'create_payment_link', { ...make, amount: 5001 }), /at most 50\.00 EUR each/)
    const inRon = await refusalOf(client, 'create_payment_link', { ...make, currency: 'RON' })
    assert.equal(inRon, 'This API key can create payment links only in EUR: set `currency`.')
  })
  await callTool(client, 'create_payment_link', { ...make, amount: 5000 })
  const over = await refusalOf(client, 'create_payment_link', { ...make, amount: 1001, idempotencyKey: 'b2' })
  assert.match(over, /10\.00 EUR is left today/)
})

test('after the key is revoked the next call is 401, and nothing happens [A49]', async (t) => {
  const { key, token } = await keyOf()
  const client = await connectAssistant(service, token, t)
  await callTool(client, 'who_am_i')
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
  await assertNothingHappens(service, async () => {
    const input = { ...lunch, idempotencyKey: 'late' }
    await assert.rejects(client.callTool({ name: 'create_payment_link', arguments: input }), { code: 401 })
    const answer = await sendMessage(service, token, toolCall('create_payment_link', input))
    assertError(answer, 'UNAUTHORIZED')
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
  })
})

test('a key that waits for its owner is refused from the claim on, and works again when it is kept', async () => {
  const { token, apiKey } = await service.signUp('bob@example.com')
  assert.equal((await sendMessage(service, token, ping)).status, 200)
  const claimed = await service.signIn('bob@example.com')
  assertError(await sendMessage(service, token, ping), 'UNAUTHORIZED')
  assert.equal((await service.call(`POST /auth/api-keys/${apiKey.id}/keep`, { token: claimed })).status, 200)
})

test('a token for these tools alone works here and nowhere else [A48]', async (t) => {
  const { key } = await keyOf()
  const ask = { ...postOf(key), grant_type: 'client_credentials', resource: `${service.baseUrl}/mcp` }
  const { access_token: token } = (await postForm(service, '/oauth/token', ask)).body
  const client = await connectAssistant(service, token, t)
  const { user } = await callTool(client, 'who_am_i')
  assert.equal(user.email, 'ana@example.com')
  await assertNothingHappens(service, async () => {
    assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
    const body = { amount: 1050, title: 'Lunch' }
    assertError(await service.call('POST /payment-links', { token, body }), 'UNAUTHORIZED')
  })
})

test('a person’s sign-in and a call without a token are 401, whatever the message, and nothing happens [A48]', async () => {
  await assertNothingHappens(service, async () => {
    for (const message of [ping, toolCall('who_am_i', {}), 'x', [ping]]) {
      const answer = await sendMessage(service, owner, message)
      assertError(answer, 'UNAUTHORIZED')
      const metadata = `resource_metadata="${service.origin}/.well-known/oauth-protected-resource/api/v1/mcp"`
      const realm = 'Bearer realm="paylink-auth"'
      assert.equal(answer.headers.get('www-authenticate'), `${realm}, error="invalid_token", ${metadata}`)
      const without = await service.call('POST /mcp', { body: message })
      assertError(without, 'UNAUTHORIZED')
      assert.equal(without.headers.get('www-authenticate'), `${realm}, ${metadata}`)
    }
  })
})

test('a page of another site is 403, and nothing happens; our own pages and programs are served [A50]', async () => {
  const { token } = await keyOf()
  const message = toolCall('create_payment_link', { ...lunch, idempotencyKey: 'site' })
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service))
      assertError(await sendMessage(service, token, message, headers), 'ORIGIN_NOT_ALLOWED')
  })
  for (const headers of ownCalls(service))
    assert.equal((await sendMessage(service, token, message, headers)).status, 200)
})

test('GET and DELETE are 405: there is no session and no stream', async () => {
  const { token } = await keyOf()
  for (const method of ['GET', 'DELETE']) {
    const answer = await service.call(`${method} /mcp`, { token, headers: { accept: 'text/event-stream' } })
    assertError(answer, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), 'POST')
  }
})

test('messages need no session: any of them is answered alone, as JSON that is not cached [A49]', async () => {
  const { token } = await keyOf()
  const answer = await sendMessage(service, token, toolCall('who_am_i', {}), { 'mcp-session-id': 'made-up' })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.equal(answer.headers.get('mcp-session-id'), null)
  assertUncacheable(answer)
  assertSecurityHeaders(answer)
  const notification = await sendMessage(service, token, { jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([notification.status, notification.text], [202, ''])
})

test('protocol versions are negotiated: the newest for an unknown one, and an unknown header is refused', async () => {
  const { token } = await keyOf()
  const initialize = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  const versions = { '2025-11-25': '2025-11-25', '2025-06-18': '2025-06-18', '2099-01-01': '2025-11-25' }
  for (const [asked, given] of Object.entries(versions))
    assert.equal((await sendMessage(service, token, initialize(asked))).body.result.protocolVersion, given)
  const ask = (version: string) => sendMessage(service, token, ping, { 'mcp-protocol-version': version })
  assert.deepEqual([(await ask('2025-06-18')).status, (await ask('1999-01-01')).status], [200, 400])
})

test('anything but one message is refused: batches, other JSON, other content types, a missing Accept', async () => {
  const { token } = await keyOf()
  const refused: [message: unknown, status: number, headers?: Record<string, string>][] = [
    [[ping, ping], 400],
    ['"text"', 400],
    ['{', 400],
    [{}, 400],
    [{ ...ping, jsonrpc: '1.0' }, 400],
    [ping, 406, { accept: 'text/html' }],
    [ping, 415, { 'content-type': 'text/plain' }],
  ]
  await assertNothingHappens(service, async () => {
    for (const [message, status, headers] of refused)
      assert.equal((await sendMessage(service, token, message, headers)).status, status, JSON.stringify(message))
    const unknown = await sendMessage(service, token, { ...ping, method: 'resources/list' })
    assert.deepEqual([unknown.status, unknown.body.error.code], [200, -32_601])
    assertError(await service.call('POST /mcp', { token }), 'VALIDATION_FAILED')
  })
})

test('messages count as reads, and new links as new links: the first is 429, the second a refusal in words', async (t) => {
  const limited = await startService({
    ...productionLimits,
    RATE_LIMIT_READS: '5/1m',
    RATE_LIMIT_PAYMENT_LINKS: '1/1m',
  })
  t.after(() => limited.close())
  const { token } = await limited.signUp('ana@example.com')
  const make = (idempotencyKey: string) =>
    sendMessage(limited, token, toolCall('create_payment_link', { ...lunch, idempotencyKey }))
  assert.equal((await make('a')).body.result.isError, undefined)
  const { result } = (await make('b')).body
  assert.deepEqual([result.isError, result.content.length], [true, 1])
  assert.match(result.content[0].text, /^Too many requests\. Try again in \d+ seconds\.$/)
  for (let n = 0; n < 3; n++) assert.equal((await sendMessage(limited, token, ping)).status, 200)
  const refused = await sendMessage(limited, token, ping)
  assertError(refused, 'RATE_LIMITED')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await databaseContent(limited.db)).paymentLinks.length, 1)
})

test('the log says what a tool refused, although its answer is 200', async (t) => {
  const logging = await startService({ LOG_LEVEL: 'info' })
  t.after(() => logging.close())
  const restrictions = { scopes: ['payment_links:read'] }
  const token = await tokenOf(
    logging,
    await createKey(logging, await logging.signIn('ana@example.com'), { restrictions }),
  )
  const codeOf = async (name: string, input: object) => {
    const { headers } = await sendMessage(logging, token, toolCall(name, input))
    const id = headers.get('x-request-id') ?? ''
    const lineOf = () => logging.logLines.find((line) => line.includes(id) && line.includes('"msg":"request"'))
    await until(lineOf)
    const { status, code } = JSON.parse(lineOf() ?? '')
    return [status, code]
  }
  assert.deepEqual(await codeOf('create_payment_link', { ...lunch, idempotencyKey: 'logged' }), [
    200,
    'INSUFFICIENT_SCOPE',
  ])
  assert.deepEqual(await codeOf('get_payment_link', { id: 'x' }), [200, 'NOT_FOUND'])
  assert.deepEqual(await codeOf('list_payment_links', {}), [200, undefined])
})
