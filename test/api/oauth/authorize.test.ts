/** `GET /oauth/authorize` sends a browser to the consent page, and nowhere else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../support/accounts/apps.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const locationOf = async (query: string, of = service) => {
  const answer = await of.call(`GET /oauth/authorize${query}`)
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return answer.headers.get('location')
}

test('passes on the query as it is, and fetches nothing for somebody who has not signed in [A22, A60]', async (t) => {
  const app = await startApp(t)
  await assertNothingHappens(service, async () => {
    assert.equal(await locationOf(`?${app.query()}`), `${service.origin}/authorize?${app.query()}`)
    assert.equal(await locationOf(''), `${service.origin}/authorize`)
    assert.equal(await locationOf('?a=%0d%0aset-cookie:x&a=?#'), `${service.origin}/authorize?a=%0d%0aset-cookie:x&a=?`)
  })
  assert.deepEqual(app.requests, [])
})

test('stays on the page, whatever the query says [A3]', async () => {
  for (const query of ['?//evil.example', '?redirect_uri=https://evil.example', '?@evil.example/', '?/../..']) {
    const { origin, pathname } = new URL((await locationOf(query)) ?? '')
    assert.deepEqual([origin, pathname], [service.origin, '/authorize'])
  }
})

test('the page of a frontend of the team’s own', async () => {
  const own = await startService({ APP_URL: 'http://localhost:5173/app' })
  try {
    assert.equal(await locationOf('?a=b', own), 'http://localhost:5173/app/authorize?a=b')
  } finally {
    await own.close()
  }
})
