/** Apps, their documents and requests for OAuth tokens are counted by what came of them. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, connect, consent, inspect, redeem, startApp } from '../../support/accounts/apps.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { postForm } from '../../support/http/oauth.ts'
import { METRICS_TOKEN, scrape } from '../../support/process/metrics.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
before(async () => {
  service = await startService({ METRICS_TOKEN })
})
after(() => service.close())

/** What a metric counted during `act`, by its labels. */
async function countedBy(metric: string, act: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () =>
    new Map(
      (await scrape(service.origin))
        .filter(({ name }) => name === `paylink_auth_${metric}`)
        .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
    )
  const earlier = await read()
  await act()
  const risen = [...(await read())].map(([labels, value]) => [labels, value - (earlier.get(labels) ?? 0)] as const)
  return Object.fromEntries(risen.filter(([, value]) => value > 0))
}

test('documents are counted as fetched, cached or refused', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('ana@example.com')
  const look = (changes = {}) => inspect(service, token, app.query(changes))
  assert.deepEqual(await countedBy('client_documents_total', look), { fetched: 1 })
  assert.deepEqual(await countedBy('client_documents_total', look), { cached: 1 })
  const refused = () => look({ client_id: 'http://client.example/c' })
  assert.deepEqual(await countedBy('client_documents_total', refused), { refused: 1 })
})

test('token requests are counted by grant type, as issued or by their error', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('bob@example.com')
  const { apiKey, keySecret } = await createKey(service, token)
  const ask = (grantType: string, secret: string) =>
    postForm(service, '/oauth/token', { grant_type: grantType, client_id: apiKey.keyId, client_secret: secret })
  const code = await consent(service, token, app)
  const counted = await countedBy('oauth_token_requests_total', async () => {
    await redeem(service, app, code)
    await redeem(service, app, code)
    await ask('client_credentials', keySecret)
    await ask('client_credentials', 'pls_wrong')
    await ask('password', keySecret)
    await ask('urn:x', keySecret)
  })
  assert.deepEqual(counted, {
    'authorization_code issued': 1,
    'authorization_code INVALID_GRANT': 1,
    'client_credentials issued': 1,
    'client_credentials INVALID_CREDENTIALS': 1,
    'unsupported UNSUPPORTED_GRANT_TYPE': 2,
  })
})

test('a token request counts with the code that its caller got, also if the form could not be read', async (t) => {
  const { apiKey, keySecret } = await createKey(service, await service.signIn('dan@example.com'))
  const form = { grant_type: 'client_credentials', client_id: apiKey.keyId, client_secret: keySecret }
  const counted = await countedBy('oauth_token_requests_total', async () => {
    t.mock.method(service.db, 'readBatched', () => Promise.reject(new Error('x')), { times: 1 })
    assert.equal((await postForm(service, '/oauth/token', form)).status, 500)
    assert.equal((await service.call('POST /oauth/token', { body: form })).status, 415)
  })
  assert.deepEqual(counted, { 'client_credentials INTERNAL': 1, 'unsupported UNSUPPORTED_MEDIA_TYPE': 1 })
})

test('an app is counted when it is connected, and once when the person, the app or a reused code ends its access', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('cia@example.com')
  const counted = (act: () => Promise<unknown>) => countedBy('apps_total', act)
  let code = ''
  assert.deepEqual(await counted(async () => (code = await consent(service, token, app))), { connected: 1 })
  assert.deepEqual(await counted(() => redeem(service, app, code)), {})
  assert.deepEqual(await counted(() => redeem(service, app, code)), { disconnected: 1 })
  assert.deepEqual(await counted(() => redeem(service, app, code)), {})

  const given = await connect(service, token, app)
  const giveBack = () => postForm(service, '/oauth/revoke', { token: given })
  assert.deepEqual(await counted(giveBack), { disconnected: 1 })
  assert.deepEqual(await counted(giveBack), {})

  await connect(service, token, app)
  const [one] = await appsOf(service, token)
  const end = () => service.call(`POST /auth/apps/${one.id}/revoke`, { token })
  assert.deepEqual(await counted(end), { disconnected: 1 })
  assert.deepEqual(await counted(end), {})

  const { body } = await service.call('POST /auth/api/token', { body: credentialsOf(await createKey(service, token)) })
  assert.deepEqual(await counted(() => postForm(service, '/oauth/revoke', { token: body.token })), {})
})

const credentialsOf = ({ apiKey, keySecret }: Awaited<ReturnType<typeof createKey>>) => ({
  keyId: apiKey.keyId,
  keySecret,
})
