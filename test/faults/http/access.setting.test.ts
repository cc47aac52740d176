/** No setting, however broken, opens a protected route: either the service does not start, or its guard stands. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settings } from '../../../src/config/settings.ts'
import { ConfigError, loadConfig } from '../../../src/config/load-config.ts'
import { assertError } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'
import { mint, rightParts } from '../../support/accounts/tokens.ts'

const broken = [
  '  ',
  'undefined',
  'null',
  '[object Object]',
  '{}',
  '-1',
  '0',
  'true',
  '../../etc/passwd',
  'a,b',
  ',',
  '*',
  'NaN',
  '<html>502 Bad Gateway</html>',
]
const right = {
  PUBLIC_URL: 'http://127.0.0.1:3000',
  JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
  SMTP_URL: 'smtp://127.0.0.1:2525',
}
/** Any text is an address or a folder; whether there is such a one is found out when it is used. */
const anyText = new Set(['HOST', 'DATA_DIR'])

/** Which of the broken values a setting takes all the same. */
function taken(name: string): string[] {
  return broken.filter((value) => {
    try {
      loadConfig({ ...right, [name]: value }, () => assert.fail('no secret is made up for a broken one'))
      return true
    } catch (error) {
      assert.ok(error instanceof ConfigError, `${name}=${value}: ${String(error)}`)
      return false
    }
  })
}

const guarded = [
  'GET /auth/check',
  'GET /users/me',
  'PATCH /users/me',
  'GET /auth/api-keys',
  'POST /auth/api-keys',
  'POST /auth/api-keys/x/revoke',
  'POST /auth/api-keys/x/keep',
  'POST /auth/tokens/revoke',
  'GET /auth/events',
  'GET /users/me/export',
  'DELETE /users/me',
  'GET /auth/google/connection',
  'POST /auth/google/connection',
  'DELETE /auth/google/connection',
  'GET /payment-links',
  'POST /payment-links',
  'GET /payment-links/x',
  'POST /payment-links/x/deactivate',
]

describe('a setting that is broken', () => {
  test('keeps the service from starting, but for the few that nothing rests on [GHSA-8fpg-xm3f-6cx3]', () => {
    const names = Object.values(settings)
      .map(({ name }) => name)
      .filter((name) => !anyText.has(name))
    const taking = Object.fromEntries(names.map((name) => [name, taken(name)]).filter(([, values]) => values?.length))
    assert.deepEqual(taking, {
      JWT_SECRET_VERIFY: ['  '],
      TRUST_PROXY: ['  ', ','],
      RATE_LIMIT_EXCHANGE_BLOCK_SECONDS: ['0'],
    })
  })

  for (const env of [
    { JWT_SECRET_VERIFY: '  ', TRUST_PROXY: ',', RATE_LIMIT_EXCHANGE_BLOCK_SECONDS: '0', HOST: '*', DATA_DIR: '' },
    Object.fromEntries(
      Object.values(settings)
        .filter(({ name }) => !['PORT', 'PUBLIC_URL', 'JWT_SECRET', 'SMTP_URL'].includes(name))
        .map(({ name }) => [name, '']),
    ),
  ]) {
    test(`and taken leaves the guard as it is: ${Object.keys(env).length} of them [GHSA-8fpg-xm3f-6cx3]`, async (t) => {
      const service = await startService({ ...env, SMTP_URL: right.SMTP_URL })
      t.after(() => service.close())
      await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })
      const { id } = await userOf(service.db, 'ana@example.com')
      const parts = rightParts(service.deps.config, id, service.clock.now())
      const tokens = ['', '  ', ',', 'undefined', 'null', '[object Object]'].map((secret) => mint({ ...parts, secret }))
      for (const route of guarded) {
        assertError(await service.call(route), 'UNAUTHORIZED')
        for (const token of tokens) assertError(await service.call(route, { token }), 'UNAUTHORIZED')
      }
      assert.equal((await service.call('GET /users/me', { token: mint(parts) })).status, 200, 'control')
    })
  }
})
