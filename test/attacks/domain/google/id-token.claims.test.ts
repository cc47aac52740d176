import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { assertError } from '../../../support/http/answers.ts'
import { startFlow, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertAccepted, withClaims } from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'
import { startIssuer } from '../../../support/google/issuer.ts'
import { startService } from '../../../support/service.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'

describe('an ID token', () => {
  let service: GoogleService
  before(async () => {
    service = await startGoogleService()
  })
  after(() => service.close())

  const changing = (claim: string, values: readonly unknown[]): Record<string, Forgery> =>
    Object.fromEntries(
      values.map((value, n) => [
        `${claim} ${n}: ${JSON.stringify(value)}`,
        withClaims(service.issuer, { [claim]: value }),
      ]),
    )

  test('is refused if aud is not exactly this client’s id [G3, G15, CVE-2026-30863]', async () => {
    const { clientId } = service.issuer
    await assertRefused(
      service,
      changing('aud', [
        undefined,
        null,
        '',
        'undefined',
        'null',
        '*',
        'another.apps.example',
        `${clientId}.evil`,
        `evil.${clientId}`,
        clientId.toUpperCase(),
        ` ${clientId}`,
        [],
        [clientId],
        [clientId, 'another.apps.example'],
        ['another.apps.example', clientId],
        { 0: clientId },
        1,
        true,
        `${clientId},another.apps.example`,
      ]),
    )
  })

  test('is refused if azp names another client [G4, CVE-2026-30949]', async () => {
    const { clientId } = service.issuer
    await assertRefused(
      service,
      changing('azp', ['', 'another.apps.example', `${clientId}.evil`, clientId.toUpperCase(), [clientId], 1, false]),
    )
    await assertAccepted(service, changing('azp', [undefined, clientId]))
  })

  test('is refused if iss differs from Google’s issuer in any character [G2, G15, CVE-2026-31813]', async () => {
    const { url } = service.issuer
    const bare = url.replace('http://', '')
    const { port } = new URL(url)
    await assertRefused(
      service,
      changing('iss', [
        undefined,
        null,
        '',
        1,
        [url],
        { url },
        `${url}/`,
        `${bare}/`,
        `${url}.evil`,
        `${bare}.evil`,
        `${url}?`,
        `${url}#`,
        url.replace('http:', 'https:'),
        url.toUpperCase(),
        url.replace('http', 'HTTP'),
        `//${bare}`,
        ` ${url}`,
        `${url} `,
        `${url}\u0000`,
        `http://${url}`,
        `http://localhost:${port}`,
        'https://accounts.google.com',
        'accounts.google.com',
        'https://accounts.google.com/',
        'https://evil.example',
        `https://evil.example/${bare}`,
        `http://user@${bare}`,
      ]),
    )
  })

  test('is accepted by One Tap with both forms of iss, and by the callback with the published form only [G2]', async () => {
    const { url } = service.issuer
    const bare = changing('iss', [url.replace('http://', '')])
    await assertAccepted(service, changing('iss', [url]))
    await assertAccepted(service, bare, ['One Tap'])
    // OpenID Connect Discovery 1.0, section 3, requires exactly this text.
    await assertRefused(service, bare, { through: ['callback'] })
  })

  test('means the same identity with both forms of iss', async () => {
    const { issuer } = service
    const claims = issuer.claims()
    const one = await useCredential(service, issuer.sign(claims))
    const other = await useCredential(service, issuer.sign({ ...claims, iss: issuer.url.replace('http://', '') }))
    assert.deepEqual([other.status, other.body.user.id], [200, one.body.user.id])
  })

  test('is refused if sub is not a string of 1 to 255 characters [G7, G15]', async () => {
    await assertRefused(
      service,
      changing('sub', [undefined, null, '', 0, 1_000_000, true, ['1'], { sub: '1' }, '7'.repeat(256)]),
    )
    const longest: Forgery = (right) => service.issuer.sign({ ...right, sub: String(right['sub']).padStart(255, '7') })
    await assertAccepted(service, { longest })
  })

  test('is refused if the nonce is missing or another [G6, G15]', async () => {
    const other = await startFlow(service)
    const nonces = [undefined, null, '', 'another', other.nonce, other.state, 1]
    await assertRefused(service, changing('nonce', nonces), { through: ['callback'] })
  })

  test('is refused if the nonce is truncated, extended, in another case or in a list [G6]', async () => {
    const changed =
      (change: (nonce: string) => unknown): Forgery =>
      (right) =>
        service.issuer.sign({ ...right, nonce: change(String(right['nonce'])) })
    await assertRefused(
      service,
      {
        truncated: changed((nonce) => nonce.slice(0, -1)),
        extended: changed((nonce) => `${nonce} `),
        'other case': changed((nonce) => `${nonce.toUpperCase()}${nonce.toLowerCase()}`.slice(0, nonce.length)),
        list: changed((nonce) => [nonce]),
      },
      { through: ['callback'] },
    )
  })
})

test('an attacker’s issuer counts for nothing and gets no request [CVE-2026-31813, CVE-2025-59936]', async () => {
  const service = await startGoogleService()
  const attacker = await startIssuer()
  try {
    await assertNothingHappens(service, async () => {
      for (const iss of [attacker.url, attacker.url.replace('http://', ''), service.issuer.url]) {
        assertError(await useCredential(service, attacker.sign(attacker.claims({ iss }))), 'GOOGLE_CREDENTIAL_INVALID')
      }
    })
    assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 })
  } finally {
    await attacker.close()
    await service.close()
  }
})

test('without a client id no credential is accepted, and a partial configuration does not start [G3, CVE-2026-30863]', async () => {
  const service = await startService()
  const issuer = await startIssuer()
  try {
    await assertNothingHappens(service, async () => {
      for (const aud of [undefined, null, '', 'undefined', 'null', issuer.clientId]) {
        const credential = issuer.sign(issuer.claims({ aud, azp: aud }))
        assertError(await useCredential(service, credential), 'GOOGLE_NOT_CONFIGURED')
      }
    })
    assert.deepEqual(issuer.hits, { discovery: 0, jwks: 0, token: 0 })
  } finally {
    await issuer.close()
    await service.close()
  }
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = issuer.env
  const half = { JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes', GOOGLE_ISSUER }
  const start = (env: Record<string, string | undefined>) => () => loadConfig({ ...half, ...env }, () => assert.fail())
  assert.doesNotThrow(start({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }))
  assert.throws(start({ GOOGLE_CLIENT_SECRET }), /GOOGLE_CLIENT_ID/)
  assert.throws(start({ GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET }), /GOOGLE_CLIENT_ID/)
  assert.throws(start({ GOOGLE_CLIENT_ID }), /GOOGLE_CLIENT_SECRET/)
})
