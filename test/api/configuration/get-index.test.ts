import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { sendRaw } from '../../support/wire/raw.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const get = (path: string, ...fields: string[]) => sendRaw(service.origin, [`GET ${path} HTTP/1.1`, ...fields])

test('the base URL, with and without a slash, lists where the documentation is, for everyone', async () => {
  const expected = {
    name: 'paylink-auth',
    guide: `${service.origin}/llms.txt`,
    openapi: `${service.baseUrl}/openapi.json`,
    documentation: `${service.origin}/docs`,
    errors: `${service.origin}/docs/errors.md`,
  }
  for (const path of ['/api/v1', '/api/v1/', '/api/v1?utm_source=x'])
    for (const fields of [[], ['Authorization: Bearer forged'], ['X-Currency: USD'], ['Accept: text/html']]) {
      const answer = await assertNothingHappens(service, () => get(path, ...fields))
      assert.deepEqual([answer.status, answer.body], [200, expected], path)
      assertUncacheable(answer)
    }
})

test('every address in it answers', async () => {
  const { name: _name, ...addresses } = (await get('/api/v1')).body
  for (const address of Object.values<string>(addresses)) {
    const response = await fetch(address)
    assert.equal(response.status, 200, address)
    await response.text()
  }
})

test('every other method is refused', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/api/v1', '/api/v1/'])
      assertError(await sendRaw(service.origin, [`${method} ${path} HTTP/1.1`]), 'METHOD_NOT_ALLOWED')
})
