/** An ID token counts when Google made it, for us, about one user, and for this very sign-in. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { assertError } from '../../../support/http/answers.ts'
import { startFlow, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertTaken, claiming } from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'
import { startIssuer } from '../../../support/google/issuer.ts'
import { startService } from '../../../support/service.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'

describe('a token', () => {
  let service: GoogleService
  before(async () => {
    service = await startGoogleService()
  })
  after(() => service.close())

  /** Tokens that are right but for this claim, by what it is instead. */
  const changing = (claim: string, values: readonly unknown[]): Record<string, Forgery> =>
    Object.fromEntries(
      values.map((value, n) => [
        `${claim} ${n}: ${JSON.stringify(value)}`,
        claiming(service.issuer, { [claim]: value }),
      ]),
    )

  test('for somebody else, for several or for nobody is refused: aud [G3, G15, CVE-2026-30863]', async () => {
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

  test('that another client asked for is refused: azp [G4, CVE-2026-30949]', async () => {
    const { clientId } = service.issuer
    await assertRefused(
      service,
      changing('azp', ['', 'another.apps.example', `${clientId}.evil`, clientId.toUpperCase(), [clientId], 1, false]),
    )
    await assertTaken(service, changing('azp', [undefined, clientId]))
  })

  test('of an issuer that is not Google to the letter is refused: iss [G2, G15, CVE-2026-31813]', async () => {
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

  test('of Google by One Tap is taken in both forms of its name, and through the callback in the one it published [G2]', async () => {
    const { url } = service.issuer
    const bare = changing('iss', [url.replace('http://', '')])
    await assertTaken(service, changing('iss', [url]))
    await assertTaken(service, bare, ['One Tap'])
    // Stricter than it has to be: OpenID Connect Discovery 1.0, section 3, asks for this very text.
    await assertRefused(service, bare, { through: ['callback'] })
  })

  test('both forms of the name are one identity', async () => {
    const { issuer } = service
    const claims = issuer.claims()
    const one = await useCredential(service, issuer.sign(claims))
    const other = await useCredential(service, issuer.sign({ ...claims, iss: issuer.url.replace('http://', '') }))
    assert.deepEqual([other.status, other.body.user.id], [200, one.body.user.id])
  })

  test('about nobody, or about no text of 1 to 255 characters, is refused: sub [G7, G15]', async () => {
    await assertRefused(
      service,
      changing('sub', [undefined, null, '', 0, 1_000_000, true, ['1'], { sub: '1' }, '7'.repeat(256)]),
    )
    const longest: Forgery = (right) => service.issuer.sign({ ...right, sub: String(right['sub']).padStart(255, '7') })
    await assertTaken(service, { longest })
  })

  test('with a nonce that is missing or another is refused: nonce [G6, G15]', async () => {
    const other = await startFlow(service)
    const nonces = [undefined, null, '', 'another', other.nonce, other.state, 1]
    await assertRefused(service, changing('nonce', nonces), { through: ['callback'] })
  })

  test('with another nonce’s letters in part is refused: nonce [G6]', async () => {
    const changed =
      (change: (nonce: string) => unknown): Forgery =>
      (right) =>
        service.issuer.sign({ ...right, nonce: change(String(right['nonce'])) })
    await assertRefused(
      service,
      {
        'cut off': changed((nonce) => nonce.slice(0, -1)),
        grown: changed((nonce) => `${nonce} `),
        'other case': changed((nonce) => `${nonce.toUpperCase()}${nonce.toLowerCase()}`.slice(0, nonce.length)),
        list: changed((nonce) => [nonce]),
      },
      { through: ['callback'] },
    )
  })
})

test('of an issuer that the attacker runs, nothing counts, and it is never asked anything [CVE-2026-31813, CVE-2025-59936]', async () => {
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

test('without a client id nothing is taken, and half a configuration does not start [G3, CVE-2026-30863]', async () => {
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
