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
/** Any text is a valid host or folder; whether it exists shows only when it is used. */
const anyText = new Set(['HOST', 'DATA_DIR'])

/** The invalid values that a setting accepts. */
function acceptedValues(name: string): string[] {
  return broken.filter((value) => {
    try {
      loadConfig({ ...right, [name]: value }, () => assert.fail('no secret is generated in place of an invalid one'))
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

describe('an invalid setting', () => {
  test('prevents the start, except for a few harmless ones [GHSA-8fpg-xm3f-6cx3]', () => {
    const names = Object.values(settings)
      .map(({ name }) => name)
      .filter((name) => !anyText.has(name))
    const accepting = Object.fromEntries(
      names.map((name) => [name, acceptedValues(name)]).filter(([, values]) => values?.length),
    )
    assert.deepEqual(accepting, {
      JWT_SECRET_VERIFY: ['  '],
      TRUST_PROXY: ['  ', ','],
      RATE_LIMIT_EXCHANGE_BLOCK_SECONDS: ['0'],
    })
  })

  for (const env of [
    { JWT_SECRET_VERIFY: '  ', TRUST_PROXY: ',', RATE_LIMIT_EXCHANGE_BLOCK_SECONDS: '0', HOST: '*', DATA_DIR: '' },
    Object.fromEntries(
      Object.values(settings)
        // Without DATABASE_URL the database is in DATA_DIR, by default in the working folder.
        .filter(({ name }) => !['PORT', 'PUBLIC_URL', 'JWT_SECRET', 'SMTP_URL', 'DATA_DIR'].includes(name))
        .map(({ name }) => [name, '']),
    ),
  ]) {
    test(`that is accepted leaves the guard in force: ${Object.keys(env).length} of them [GHSA-8fpg-xm3f-6cx3]`, async (t) => {
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
