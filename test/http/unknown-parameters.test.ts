/** An operation that needs a token refuses query parameters that it does not have; a public one ignores them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, exchange, tokenOf } from '../support/accounts/keys.ts'
import { assertNothingHappens } from '../support/database/state.ts'
import { operations, takesToken } from '../support/documented.ts'
import { startFlow, startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { assertError } from '../support/http/answers.ts'
import { mailedToken } from '../support/mail/links.ts'

const ADDED = 'utm_source=mail&fbclid=x&hd=example.com&authuser=0&prompt=none&scope=email'

let service: GoogleService
let token: string
before(async () => {
  service = await startGoogleService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

test('a misspelt withDescendants revokes nothing and names the right one', async () => {
  const parent = await createKey(service, token)
  const child = await createKey(service, await tokenOf(service, parent))
  const route = `POST /auth/api-keys/${parent.apiKey.id}/revoke?withDescendents=true`
  const answer = await assertNothingHappens(service, () => service.call(route, { token }))
  const message = '`withDescendents` is not a query parameter of this operation. It takes `withDescendants`.'
  assertError(answer, 'VALIDATION_FAILED', message)
  for (const key of [parent, child]) assert.equal((await exchange(service, key)).status, 200)
})

test('every operation with a token refuses an unknown parameter, and nothing happens', async () => {
  const guarded = operations.filter((each) => takesToken(each) && each.id !== 'check')
  assert.ok(guarded.length > 15)
  for (const { route, content } of guarded) {
    const names = (content.parameters ?? []).filter((each: any) => each.in === 'query').map((each: any) => each.name)
    const takes = names.map((name: string) => `\`${name}\``).join(', ') || 'none'
    const at = route.replace(/\{\w+\}/, 'x')
    const unknown = names.length === 0 ? 'limit' : 'limits'
    for (const [query, what] of [
      [`${unknown}=1`, `\`${unknown}\` is not`],
      [unknown, `\`${unknown}\` is not`],
      ['__proto__=1', '`__proto__` is not'],
      ['toString=1', '`toString` is not'],
      ['%3Cb%3E=1', 'The query has a name that is not'],
      ['=1', 'The query has a name that is not'],
    ]) {
      const answer = await assertNothingHappens(service, () => service.call(`${at}?${query}`, { token }))
      assertError(answer, 'VALIDATION_FAILED', `${what} a query parameter of this operation. It takes ${takes}.`)
    }
    assertError(await service.call(`${at}?${unknown}=1`), 'UNAUTHORIZED')
  }
})

test('the check takes the query of the forwarded call', async () => {
  const withoutScope = ADDED.replace('&scope=email', '')
  assert.equal((await service.call(`GET /auth/check?${withoutScope}`, { token })).status, 200)
  assert.equal((await service.call(`GET /auth/check/invoices?${ADDED}`, { token })).status, 200)
})

test('verify and Google’s start and callback ignore what others add', async () => {
  const link = await mailedToken(service, 'bob@example.com')
  assert.equal((await service.call(`GET /auth/verify?${ADDED}&token=${link}`)).status, 200)
  assert.equal((await service.call(`GET /auth/google/start?${ADDED}`)).status, 302)
  const { issuer } = service
  const { state, nonce, jar } = await startFlow(service)
  issuer.idToken = issuer.sign(issuer.claims({ nonce }))
  const query = new URLSearchParams({ code: 'code', state, iss: issuer.url })
  const back = await service.call(`GET /auth/google/callback?${query.toString()}&${ADDED}`, { headers: jar.header() })
  assert.equal(back.status, 200, back.text)
})
