/** A change between the guard and a tool's write: the write reads the key's state again under the account's lock. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answerMessage } from '../../../../src/api/mcp/answer-message.ts'
import type { Caller } from '../../../../src/domain/sign-in/authority.ts'
import type { Deps } from '../../../../src/http/deps.ts'
import { createKey, tokenOf, updateKey } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { createLink } from '../../../support/accounts/payment-links.ts'
import { read } from '../../../support/accounts/tokens.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
let owner: string
let linkId: string
before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
  linkId = (await createLink(service, owner)).id
})
after(() => service.close())

const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
const writes = () => [
  toolCall('create_payment_link', { amount: 1, currency: 'EUR', title: 'Tea', idempotencyKey: 'a' }),
  toolCall('deactivate_payment_link', { id: linkId }),
]
const toolCall = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

/** What the guard finds for the key now, for messages that are answered later. */
async function answererFor(key: NewKey, deps: Deps = service.deps) {
  const { sub, role, tokenVersion, apiKeyId, iat } = read(await tokenOf(service, key)).claims as Record<string, any>
  const account = { effective_restrictions: null } as Caller['account']
  const ids = { userId: sub, apiKeyId, signInId: null, sid: undefined, issuedAtSeconds: iat }
  const caller: Caller = { ...ids, role, tokenVersion, amr: 'api_key', account, scope: null }
  const source = { ip: '127.0.0.1', browser: null, caller }
  const context = { deps, caller, source, limitNewLinks: async () => {}, noteRefusal: () => {} }
  return async (message: object) => (await answerMessage(context, headers, message)).json() as any
}

test('a key that lost the scope after the guard writes nothing, and the tool says which scope', async () => {
  const key = await createKey(service, owner)
  const answer = await answererFor(key)
  await updateKey(service, owner, key, { restrictions: { scopes: ['payment_links:read'] } })
  await assertNothingHappens(service, async () => {
    for (const message of writes()) {
      const { result } = await answer(message)
      assert.equal(result.isError, true)
      assert.match(result.content[0].text, /they lack the scope `payment_links:write`/)
    }
  })
})

test('a key that was revoked after the guard writes nothing, and the message is 401', async () => {
  const key = await createKey(service, owner)
  const answer = await answererFor(key)
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
  await assertNothingHappens(service, async () => {
    for (const message of writes()) await assert.rejects(answer(message), { code: 'UNAUTHORIZED' })
  })
})

test('a failure of the service is thrown, for the one writer of errors: its words are in no result', async () => {
  const broken = { ...service.deps, clock: { ...service.deps.clock, now: () => assert.fail('select secret') } }
  const answer = await answererFor(await createKey(service, owner), broken)
  for (const message of writes()) await assert.rejects(answer(message), /select secret/)
})
