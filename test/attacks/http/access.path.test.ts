/** No spelling of a path bypasses a limit or admits the wrong kind of token. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { createKey, listed, tokenOf } from '../../support/accounts/keys.ts'
import { productionLimits } from '../../support/http/limits.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, recipientsOf } from '../../support/database/state.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

let service: Service
before(async () => {
  service = await startService({
    ...productionLimits,
    RATE_LIMIT_SIGN_IN_FAILURES: '2/15m',
    RATE_LIMIT_EXCHANGE_FAILURES: '2/1m',
  })
})
after(() => service.close())

/** Variants of a path that some router may treat as equal. */
function spellingsOf(path: string): string[] {
  const [, first = '', ...rest] = path.split('/')
  const last = rest.at(-1) ?? ''
  const middle = rest
    .slice(0, -1)
    .map((part) => `/${part}`)
    .join('')
  const encodedFirst = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`
  const encodedLast = `%${last.charCodeAt(0).toString(16)}${last.slice(1)}`
  return [
    `/${path}`,
    `//${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/%2e${path}`,
    `/%2e%2e${path}`,
    `\\${path.slice(1)}`,
    `/%2f${path.slice(1)}`,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}/./`,
    `${path}/x/..`,
    `${path}/%2e`,
    `${path}%2f`,
    `${path}%2F`,
    `${path}%5c`,
    `${path}\\`,
    `${path};`,
    `${path};x`,
    `${path};jsessionid=1`,
    `${path}.json`,
    `${path}%00`,
    `${path}%20`,
    `${path}%09`,
    `${path}%0d%0a`,
    `${path}%23`,
    `${path}%3f`,
    `${path}%253f`,
    `/${encodedFirst}${middle}/${last}`,
    `/${first}${middle}/${encodedLast}`,
    `/${first}${middle}//${last}`,
    `/${first}${middle}%2f${last}`,
    `/${first}${middle}/./${last}`,
    `/${first}${middle}/x/../${last}`,
    `/${first}${middle}/;/${last}`,
    path.toUpperCase(),
    `/${first}${middle}/${last[0]?.toUpperCase()}${last.slice(1)}`,
    `${path}?`,
    `${path}??`,
    `${path}?x=1`,
    `${path}?/`,
    `http://127.0.0.1${path}`,
    `http://evil.example${path}`,
    `HTTPS://evil.example/${path}`,
    `*${path}`,
  ]
}

const post = (path: string, body: object, ...fields: readonly string[]) =>
  sendRaw(service.origin, [`POST ${path} HTTP/1.1`, 'Content-Type: application/json', ...fields], JSON.stringify(body))

/** Asserts that a spelling is treated as the path itself, with status `same`, or as no path of the service. */
function assertNoBypass(status: number, same: number, target: string): void {
  // 405: the path of another endpoint, which does not have this method.
  assert.ok([same, 400, 404, 405].includes(status), `${target}: ${status}`)
}

describe('a used-up limit', () => {
  test('on link requests holds for every spelling of the path: no further mail is sent [GHSA-x732-6j76-qmhm]', async () => {
    const path = '/api/v1/auth/request'
    const body = { email: 'drained@example.com' }
    assert.equal((await post(path, body)).status, 200)
    await assertNothingHappens(service, async () => {
      assertError(await post(path, body), 'RATE_LIMITED')
      let limited = 0
      for (const target of spellingsOf(path)) {
        const { status } = await post(target, body)
        assertNoBypass(status, 429, target)
        if (status === 429) limited++
      }
      assert.ok(limited >= 2, 'control: some spellings are the path itself')
    })
    assert.deepEqual(
      (await recipientsOf(service)).filter((to) => to === body.email),
      [body.email],
    )
  })

  test('on failed sign-ins holds for every spelling of the path [GHSA-x732-6j76-qmhm]', async () => {
    const path = '/api/v1/auth/verify'
    const get = (target: string) => {
      const query = target.includes('?') ? '&token=wrong' : '?token=wrong'
      return sendRaw(service.origin, [`GET ${target}${query} HTTP/1.1`])
    }
    for (const status of [401, 401, 429]) assert.equal((await get(path)).status, status)
    for (const target of spellingsOf(path)) assertNoBypass((await get(target)).status, 429, target)
  })

  test('on wrong key secrets holds for every spelling of the path [GHSA-x732-6j76-qmhm]', async () => {
    const path = '/api/v1/auth/api/token'
    const body = { keyId: 'plk_AAAAAAAAAAAAAAAAAAAAAA', keySecret: 'wrong' }
    for (const status of [401, 401, 429]) assert.equal((await post(path, body)).status, status)
    for (const target of spellingsOf(path)) assertNoBypass((await post(target, body)).status, 429, target)
  })
})

test('endpoints for signed-in people refuse a key’s token in every spelling of the path [CVE-2026-22595]', async () => {
  const planted = await service.signUp('owner@example.com')
  const person = await service.signIn('owner@example.com')
  const key = await createKey(service, person)
  const keyToken = await tokenOf(service, key)
  const id = planted.apiKey.id
  const path = `/api/v1/auth/api-keys/${id}/keep`

  // Both tokens are valid; only the kind differs.
  for (const token of [person, keyToken]) assert.equal((await service.call('GET /users/me', { token })).status, 200)
  await assertNothingHappens(service, async () => {
    for (const [method, guarded] of [
      ['POST', path],
      ['DELETE', '/api/v1/users/me'],
    ] as const) {
      for (const target of [guarded, ...spellingsOf(guarded)]) {
        const { status } = await sendRaw(service.origin, [
          `${method} ${target} HTTP/1.1`,
          `Authorization: Bearer ${keyToken}`,
        ])
        assertNoBypass(status, 403, target)
      }
    }
  })
  assert.equal((await listed(service, person, id)).status, 'AWAITS_OWNER')
  const kept = await service.call(`POST /auth/api-keys/${id}/keep`, { token: person })
  assert.equal(kept.status, 200, 'control: a person may keep it')
})

test('no spelling of a protected path that writes is served without a token [CVE-2026-22031]', async () => {
  await assertNothingHappens(service, async () => {
    for (const path of ['/api/v1/auth/api-keys', '/api/v1/auth/tokens/revoke', '/api/v1/auth/api-keys/x/revoke']) {
      for (const target of spellingsOf(path)) assertNoBypass((await post(target, {})).status, 401, target)
    }
  })
})

test('an id as long as the request line permits gets 404 soon [CVE-2024-45813]', async () => {
  const { token } = await service.signUp('long@example.com')
  const ids = [
    'a'.repeat(15_000),
    'a-'.repeat(7500),
    '%61'.repeat(5000),
    '/'.repeat(15_000),
    '-revoke'.repeat(2000),
    '..'.repeat(7000),
    ':id'.repeat(5000),
    '('.repeat(15_000),
  ]
  for (const id of ids) {
    for (const action of ['revoke', 'keep', 'revokee', '']) {
      const tookMs = stopwatch()
      const answer = await sendRaw(service.origin, [
        `POST /api/v1/auth/api-keys/${id}/${action} HTTP/1.1`,
        `Authorization: Bearer ${token}`,
      ])
      const label = `${id.slice(0, 9)} ${action}: ${answer.status}`
      // A key's token may not keep keys, whatever the id.
      assert.ok([404, action === 'keep' ? 403 : 404].includes(answer.status), label)
      assert.ok(tookMs() < 5000, label)
    }
  }
})
