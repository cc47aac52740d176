import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { operations, takesToken } from '../../../support/documented.ts'
import type { Operation } from '../../../support/documented.ts'
import { createKey, listed, listKeys } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Call, Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../../support/database/state.ts'

let service: Service
let victimToken: string
let victimId: string

before(async () => {
  service = await startService()
  victimToken = await service.signIn('victim@example.com')
  victimId = (await userOf(service.db, 'victim@example.com')).id
})
after(() => service.close())

/** Ways in which a framework might let a caller choose their own identity. */
const identityBodies = (id: string, email: string): Record<string, unknown>[] => [
  { userId: id },
  { user_id: id },
  { user: id },
  { user: { id } },
  { id },
  { sub: id },
  { ownerId: id },
  { email },
  { session: { user: { id } } },
  { caller: { userId: id, role: 'USER', tokenVersion: 0 } },
  { context: { userId: id } },
  { apiKeyId: null },
]

const headersOf = (id: string): Record<string, string>[] => [
  { 'x-user-id': id },
  { 'x-user-role': 'ADMIN' },
  { 'x-api-key': id },
  { 'x-forwarded-user': id },
  { 'x-remote-user': id },
  { cookie: `userId=${id}; session=${id}` },
  { 'x-http-method-override': 'GET' },
]

const guarded = operations.filter(takesToken)
const singleKeyOperations = operations.filter(({ route }) => route.includes('{id}'))
const bodySchemaOf = ({ content }: Operation) => content.requestBody?.content['application/json']?.schema
const routeOf = ({ route }: Operation, id: string): string => route.replace('{id}', id)

test('a call without a token gets 401, whatever identity its body, query or headers name [K7, CVE-2025-61928]', async () => {
  const { apiKey } = await createKey(service, victimToken)
  await assertNothingHappens(service, async () => {
    for (const operation of guarded) {
      const route = routeOf(operation, apiKey.id)
      const bodies = route.startsWith('GET') ? [] : identityBodies(victimId, 'victim@example.com')
      const calls: Call[] = [
        ...bodies.map((body) => ({ body })),
        ...headersOf(victimId).map((headers) => ({ headers })),
      ]
      for (const call of calls) {
        assertError(await service.call(route, call), 'UNAUTHORIZED', 'Unauthorized')
      }
      assertError(await service.call(`${route}?userId=${victimId}&sub=${victimId}`), 'UNAUTHORIZED')
    }
  })
})

test('a call whose body names another user creates no key [K7, CVE-2025-61928]', async () => {
  const token = await service.signIn('eve@example.com')
  await assertNothingHappens(service, async () => {
    for (const body of identityBodies(victimId, 'victim@example.com')) {
      const answer = await service.call('POST /auth/api-keys', { token, body: { name: 'x', ...body } })
      assertError(answer, 'VALIDATION_FAILED', /^`\w+` is not a known field\.$/)
    }
  })
})

/** A valid value for every field that some operation requires. */
const required: Readonly<Record<string, unknown>> = {
  email: 'new@example.com',
  name: 'x',
  token: 'x',
  keyId: 'x',
  keySecret: 'x',
  secrets: [{ keySecret: 'x' }],
  credential: 'x',
  amount: 1,
  title: 'x',
}

test('no request body sets a database column that is not a documented field [K7]', async () => {
  const token = await service.signIn('gil@example.com')
  const { apiKey } = await createKey(service, token)
  const columns = {
    keyId: 'plk_mine',
    keySecret: 'pls_mine',
    secretHash: 'x',
    secret_hash: 'x',
    status: 'ACTIVE',
    role: 'ADMIN',
    revokedAt: null,
    awaitsOwnerAt: null,
    createdByKeyId: null,
    expiresAt: null,
    tokenVersion: 9,
    claimedAt: 1,
    lastUsedAt: 1,
    scopes: ['*'],
  }
  await assertNothingHappens(service, async () => {
    for (const operation of operations) {
      const schema = bodySchemaOf(operation)
      if (schema === undefined) continue
      const fields = (schema.required ?? []).map((name: string) => [name, required[name]])
      for (const [field, value] of Object.entries(columns)) {
        if (field in schema.properties) continue
        const body = { ...Object.fromEntries(fields), [field]: value }
        const answer = await service.call(routeOf(operation, apiKey.id), { token, body })
        assertError(answer, 'VALIDATION_FAILED', `\`${field}\` is not a known field.`)
      }
    }
  })
})

test('a caller cannot read or change another user’s key, whatever the body names [K7]', async () => {
  const { apiKey } = await createKey(service, victimToken)
  const token = await service.signIn('hal@example.com')
  const { apiKey: own } = await createKey(service, token)
  await assertNothingHappens(service, async () => {
    assert.ok(singleKeyOperations.length >= 4)
    for (const operation of singleKeyOperations) {
      const route = routeOf(operation, apiKey.id)
      const inQuery = takesToken(operation) ? 'VALIDATION_FAILED' : 'NOT_FOUND'
      assertError(await service.call(`${route}?userId=${victimId}`, { token }), inQuery)
      const bodies = route.startsWith('GET') ? [] : identityBodies(victimId, 'victim@example.com')
      assertError(await service.call(route, { token }), 'NOT_FOUND')
      for (const body of bodies) {
        assertError(await service.call(route, { token, body }), 'VALIDATION_FAILED')
      }
    }
  })
  const revoked = await service.call(`POST /auth/api-keys/${own.id}/revoke`, { token })
  assert.equal(revoked.body.apiKey.id, own.id)
  assert.equal((await listed(service, victimToken, apiKey.id)).status, 'ACTIVE')
})

// Must stay last: the notices about its keys may still be queued when it ends.
test('a new key belongs to the token’s user, whatever the query and headers name [K7, CVE-2025-61928]', async () => {
  const token = await service.signIn('fia@example.com')
  const { id } = await userOf(service.db, 'fia@example.com')
  const route = 'POST /auth/api-keys'
  const untouched = await listKeys(service, victimToken)
  for (const name of ['userId', 'user_id', 'id'])
    assertError(await service.call(`${route}?${name}=${victimId}`, { token, body: {} }), 'VALIDATION_FAILED')
  for (const headers of headersOf(victimId)) {
    const { status, body } = await service.call(route, { token, headers, body: { name: 'mine' } })
    assert.equal(status, 201)
    const { apiKeys } = await databaseContent(service.db)
    assert.equal(apiKeys.find((key) => key.id === body.apiKey.id)?.user_id, id)
  }
  assert.deepEqual(await listKeys(service, victimToken), untouched)
})
