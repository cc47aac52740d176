import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { comeBack, startFlow, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused } from '../../../support/google/id-tokens.ts'
import { createKey, tokenOf as tokenOfKey } from '../../../support/accounts/keys.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import { assertNothingHappens, databaseContent } from '../../../support/database/state.ts'
import { mint, rightParts } from '../../../support/accounts/tokens.ts'
import { upkeep } from '../../../../src/domain/upkeep.ts'

const ROUTE = 'POST /auth/google/onetap'
let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

const invalid = 'GOOGLE_CREDENTIAL_INVALID'

describe('each kind of secret is valid for one purpose only:', () => {
  test('an access token, link, key, cookie or code response is no credential [J10]', async () => {
    const signedIn = await service.signIn('ana@example.com')
    const link = await mailedToken(service, 'ana@example.com')
    const key = await createKey(service, signedIn)
    const { jar, state, nonce } = await startFlow(service)
    const [cookie = ''] = jar.cookies.values()
    const { user } = (await service.call('GET /users/me', { token: signedIn })).body
    const parts = rightParts(service.deps.config, user.id, service.clock.now())
    const { issuer } = service
    const secrets = {
      'access token': signedIn,
      'access token of a key': await tokenOfKey(service, key),
      link: link,
      'key secret': key.keySecret,
      'key id': key.apiKey.keyId,
      cookie,
      state,
      nonce,
      // Valid claims, signed with the service's own secret.
      'our secret, Google’s claims': mint({ ...parts, claims: issuer.claims() }),
      'our secret, Google’s kid': mint({
        ...parts,
        header: { ...parts.header, kid: issuer.keys[0]?.jwk['kid'] },
        claims: issuer.claims(),
      }),
    }
    await assertRefused(
      service,
      Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, () => secret])),
    )
    assert.equal((await verify(service, link)).status, 200)
    issuer.idToken = issuer.sign(issuer.claims({ nonce }))
    assert.equal((await comeBack(service, jar, { code: 'code-of-the-test', state })).status, 200)
  })

  test('a credential or cookie is no access token, link or key secret, and the credential still works afterwards [J10]', async () => {
    const signedIn = await service.signIn('bob@gmail.com')
    const { apiKey } = await createKey(service, signedIn)
    const { jar } = await startFlow(service)
    const { issuer } = service
    const { user } = (await service.call('GET /users/me', { token: signedIn })).body
    const { claims } = rightParts(service.deps.config, user.id, service.clock.now())
    const credential = issuer.sign(issuer.claims({ email: 'bob@gmail.com' }))
    const withOurClaims = issuer.sign({ ...issuer.claims({ email: 'bob@gmail.com' }), ...claims })
    await assertNothingHappens(service, async () => {
      for (const token of [credential, withOurClaims, ...jar.cookies.values()]) {
        assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED', 'Unauthorized')
        assertError(await service.call('GET /auth/api-keys', { token }), 'UNAUTHORIZED', 'Unauthorized')
        assertError(await verify(service, token), 'LINK_INVALID')
        const exchanged = await service.call('POST /auth/api/token', {
          body: { keyId: apiKey.keyId, keySecret: token },
        })
        assertError(exchanged, 'INVALID_CREDENTIALS')
      }
    })
    assert.equal((await useCredential(service, credential)).status, 200)
  })
})

test('requests that a page can send without a CORS preflight get 415 or 403, with and without the g_csrf_token cookie [G13]', async () => {
  const credential = service.issuer.sign()
  const form = new URLSearchParams({ credential, g_csrf_token: 'same' }).toString()
  const json = JSON.stringify({ credential })
  const multipart = `--x\r\ncontent-disposition: form-data; name="credential"\r\n\r\n${credential}\r\n--x--\r\n`
  const posts = [
    ['application/x-www-form-urlencoded', form],
    ['application/x-www-form-urlencoded; charset=utf-8', form],
    ['multipart/form-data; boundary=x', multipart],
    ['text/plain', json],
    ['text/plain; application/json', json],
    ['text/plain;charset=UTF-8', json],
    ['', json],
    ['application/jwt', credential],
    ['application/jsonp', json],
    ['text/json', json],
  ] as const
  await assertNothingHappens(service, async () => {
    for (const [type, body] of posts) {
      for (const more of [{}, { cookie: 'g_csrf_token=same' }]) {
        const answer = await service.call(ROUTE, { body, headers: { 'content-type': type, ...more } })
        assertError(answer, 'UNSUPPORTED_MEDIA_TYPE')
        const foreign = { 'content-type': type, ...more, origin: 'https://evil.example' }
        const fromElsewhere = await service.call(ROUTE, { body, headers: foreign })
        assert.ok([403, 415].includes(fromElsewhere.status), fromElsewhere.text)
      }
    }
    for (const method of ['GET', 'PUT', 'HEAD']) {
      assert.equal((await service.call(`${method} /auth/google/onetap?credential=${credential}`)).status >= 400, true)
    }
  })
  assert.equal((await useCredential(service, credential)).status, 200)
})

test('of twenty concurrent uses of a credential exactly one succeeds and creates one account [G6, CVE-2026-34224]', async () => {
  const claims = service.issuer.claims({ email: 'race@gmail.com' })
  const credential = service.issuer.sign(claims)
  const stored = await databaseContent(service.db)
  const answers = await runInLockstep(service, 20, () => useCredential(service, credential))
  const [winner, ...more] = answers.filter(({ status }) => status === 200)
  assert.deepEqual([winner?.body.user.email, more.length], ['race@gmail.com', 0])
  for (const answer of answers.filter(({ status }) => status !== 200)) assertError(answer, invalid)
  const { users, identities, events, spent } = await databaseContent(service.db)
  assert.equal(users.length, stored.users.length + 1)
  assert.equal(identities.length, stored.identities.length + 1)
  assert.equal(spent.length, stored.spent.length + 1)
  const signIns = events.filter(({ user_id: id, type }) => id === winner?.body.user.id && type === 'signed_in')
  assert.equal(signIns.length, 1)
})

/** Every spelling of the signature that a lenient base64url decoder accepts as equal. */
function spellingsOf(credential: string): string[] {
  const [header = '', payload = '', signature = ''] = credential.split('.')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // 256 bytes are 342 characters; the last four bits of the last one are unused.
  const last = alphabet.indexOf(signature.slice(-1))
  const loose = Array.from({ length: 16 }, (_, bits) => signature.slice(0, -1) + alphabet.charAt((last & ~15) | bits))
  const signatures = [
    ...loose,
    `${signature}=`,
    `${signature}==`,
    `${signature} `,
    `${signature}\n`,
    `\t${signature}`,
    ` ${signature}`,
    `${signature.slice(0, 9)}\r\n${signature.slice(9)}`,
    `${signature}\u0000`,
    `${signature}AA`,
    signature.replaceAll('-', '+').replaceAll('_', '/'),
  ]
  return signatures.map((spelling) => `${header}.${payload}.${spelling}`)
}

test('a used credential is refused in every other spelling of its signature [G6, CVE-2025-46815]', async () => {
  const credential = service.issuer.sign()
  assert.equal((await useCredential(service, credential)).status, 200)
  const spellings = spellingsOf(credential)
  assert.ok(new Set(spellings).size > 20)
  await assertNothingHappens(service, async () => {
    for (const spelling of spellings) assertError(await useCredential(service, spelling), invalid)
  })
})

test('all spellings of a credential together sign in once', async () => {
  const answers = await Promise.all(
    spellingsOf(service.issuer.sign()).map((spelling) => useCredential(service, spelling)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('an ID token used by a callback is no credential any more, and a used credential is refused at the callback [G6, CVE-2025-46815]', async () => {
  const { issuer } = service
  const one = await startFlow(service)
  issuer.idToken = issuer.sign(issuer.claims({ nonce: one.nonce }))
  assert.equal((await comeBack(service, one.jar, { code: 'one', state: one.state })).status, 200)
  await assertNothingHappens(service, async () => assertError(await useCredential(service, issuer.idToken), invalid))

  const two = await startFlow(service)
  issuer.idToken = issuer.sign(issuer.claims({ nonce: two.nonce }))
  assert.equal((await useCredential(service, issuer.idToken)).status, 200)
  assertError(await comeBack(service, two.jar, { code: 'two', state: two.state }), invalid)
})

test('a refused sign-in leaves the credential unused', async () => {
  await service.signIn('owner@elsewhere.example')
  const credential = service.issuer.sign(service.issuer.claims({ email: 'owner@elsewhere.example' }))
  for (let n = 0; n < 2; n += 1) {
    await assertNothingHappens(service, async () =>
      assertError(await useCredential(service, credential), 'EMAIL_NOT_VERIFIED'),
    )
  }
})

test('a used credential is stored until a day after its expiry [G6]', async () => {
  const { issuer, clock, db, deps } = service
  const { exp } = issuer.claims()
  const claims = issuer.claims({ exp: Number(exp) - 600 })
  const credential = issuer.sign(claims)
  assert.equal((await useCredential(service, credential)).status, 200)
  const expiresAtMs = Number(claims['exp']) * 1000
  const ours = async () =>
    (await databaseContent(db)).spent.filter(({ expires_at_ms: atMs }) => atMs === expiresAtMs).length
  clock.advance(expiresAtMs - clock.now() - 1)
  await upkeep(deps)
  assert.equal(await ours(), 1)
  assertError(await useCredential(service, credential), invalid)

  clock.advance(2)
  assertError(await useCredential(service, credential), invalid)
  await upkeep(deps)
  assert.equal(await ours(), 1, 'kept for the case that the clock is set back')
  clock.advance(24 * 3600 * 1000)
  await upkeep(deps)
  assert.equal(await ours(), 0)
  assertError(await useCredential(service, credential), invalid)
})

test('thirty failures in a quarter of an hour are answered, then 429; a valid credential still signs in', async () => {
  const limited = await startGoogleService(productionLimits)
  try {
    const { issuer } = limited
    const tap = (credential: string, address: string) =>
      limited.call(ROUTE, { body: { credential }, headers: from(address) })
    const claims = issuer.claims()
    const failing = [
      issuer.sign({ ...claims, aud: 'another' }),
      issuer.sign({ ...claims, email_verified: false }),
      'credential',
    ]
    for (let n = 0; n < 30; n += 1) {
      const answer = await tap(failing[n % 3] ?? '', '192.0.2.1')
      assertError(answer, n % 3 === 1 ? 'EMAIL_NOT_VERIFIED' : invalid)
    }
    await assertNothingHappens(limited, async () => {
      for (const credential of failing) {
        const refused = await tap(credential, '192.0.2.1')
        assertError(refused, 'RATE_LIMITED')
        assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
      }
    })
    assertError(await tap('credential', '192.0.2.2'), invalid)
    assert.equal((await tap(issuer.sign(), '192.0.2.1')).status, 200)
    // All sign-in methods share one limit.
    assertError(await verify(limited, 'guess', { headers: from('192.0.2.1') }), 'RATE_LIMITED')
  } finally {
    await limited.close()
  }
})
