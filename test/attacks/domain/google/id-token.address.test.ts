import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, oneTap, startFlow, startGoogleService, useCredential } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { assertRefused, assertAccepted, withClaims } from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'
import { assertNothingHappens, userOf } from '../../../support/database/state.ts'
import { parseEmailAddress } from '../../../../src/lib/text/email-address.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

const withEach = (claim: string, values: readonly unknown[], more: object = {}): Record<string, Forgery> =>
  Object.fromEntries(
    values.map((value) => [
      `${claim} ${JSON.stringify(value)}`,
      withClaims(service.issuer, { ...more, [claim]: value }),
    ]),
  )

test('an address without email_verified: true is refused [G8, P5]', async () => {
  const values = [false, 'true', 1, undefined, null, '', 'false', 'TRUE', 0, [true], { email_verified: true }]
  const code = 'EMAIL_NOT_VERIFIED'
  await assertRefused(service, withEach('email_verified', values), { code })
  const ofWorkspace = { email: 'ana@workspace.example', hd: 'workspace.example' }
  await assertRefused(service, withEach('email_verified', values, ofWorkspace), { code })
  await assertAccepted(service, withEach('email_verified', [true]))
})

test('an unverified address signs in to no existing account, not even with its known identity [G8, P5]', async () => {
  await service.signIn('owner@gmail.com')
  const known = service.issuer.claims({ email: 'known@gmail.com' })
  assert.equal((await useCredential(service, service.issuer.sign(known))).status, 200)
  const values = [false, 'true', 1, undefined]
  const code = 'EMAIL_NOT_VERIFIED'
  await assertRefused(service, withEach('email_verified', values, { email: 'owner@gmail.com' }), { code })
  const itself = { email: 'known@gmail.com', sub: known['sub'] }
  await assertRefused(service, withEach('email_verified', values, itself), { code })
})

test('a missing address, an invalid one and several in one are refused [GHSA-c5c4-8r6x-56w3]', async () => {
  const ats = ['@', '\uff20', '\ufe6b', '\\@', '@@']
  const several = ats.flatMap((at) => [`a@evil.example${at}gmail.com`, `a${at}evil.example@gmail.com`])
  const values = [
    undefined,
    '',
    ' ',
    '@',
    'ana',
    '@gmail.com',
    'ana@',
    'ana@gmail.com, bob@gmail.com',
    'ana@gmail.com;bob@gmail.com',
    'Ana <ana@gmail.com>',
    '"ana"@gmail.com',
    'ana@gmail.com\nbcc: bob@gmail.com',
    'ana\u0000@gmail.com',
    'ana@gmail.com\u0000',
    'ana@[127.0.0.1]',
    `${'a'.repeat(250)}@gmail.com`,
    ...several,
  ]
  await assertRefused(service, withEach('email', values), { code: 'EMAIL_NOT_VERIFIED' })
  await assertRefused(service, withEach('email', several, { hd: 'gmail.com' }), { code: 'EMAIL_NOT_VERIFIED' })
})

test('an address that is not a string is refused', () =>
  assertRefused(service, withEach('email', [null, 1, true, ['ana@gmail.com'], { email: 'ana@gmail.com' }])))

/** Signs in a new user with these claims and returns whether the account's address is proven. */
async function isProven(claims: Record<string, unknown>): Promise<boolean> {
  const answer = await oneTap(service, claims)
  assert.equal(answer.status, 200, answer.text)
  return (await userOf(service.db, parseEmailAddress(answer.body.user.email) ?? '')).claimed_at_ms !== null
}

test('the address is proven where Google runs the mailbox: at gmail.com, and in the domain of the token’s own hd [G9]', async () => {
  assert.equal(await isProven({ email: 'plain@gmail.com' }), true)
  assert.equal(await isProven({ email: 'Capital@GMAIL.com' }), true)
  assert.equal(await isProven({ email: 'one@workspace.example', hd: 'workspace.example' }), true)
  assert.equal(await isProven({ email: 'two@workspace.example', hd: 'WorkSpace.Example' }), true)
  assert.equal(await isProven({ email: 'three@bücher.example', hd: 'xn--bcher-kva.example' }), true)
})

test('any other address is unproven, whatever hd names [G9, P5]', async () => {
  const strange = [
    undefined,
    '',
    '.',
    '@other.example',
    'gmail.com',
    'example',
    '.other.example',
    'other.example.',
    'sub.other.example',
    'other.example.evil',
    'evil-other.example',
    'other.example,x',
    'xn--',
    '*',
    '*.other.example',
    'http://other.example',
  ]
  for (const [n, hd] of strange.entries()) {
    assert.equal(await isProven({ email: `user-${n}@other.example`, hd }), false, JSON.stringify(hd))
  }
  assert.equal(await isProven({ email: 'wide@\uff47mail.com' }), false, 'gmail.com by normalisation only')
  const near = ['googlemail.com', 'mail.gmail.com', 'gmail.com.evil.example', 'gmail.co', 'evilgmail.com']
  for (const [n, domain] of near.entries()) {
    assert.equal(await isProven({ email: `near-${n}@${domain}` }), false, domain)
  }
})

test('an hd that is not a string is refused', () =>
  assertRefused(service, withEach('hd', [null, 1, true, ['other.example'], {}], { email: 'ana@other.example' })))

test('an hd in the request instead of the token proves nothing [G10]', async () => {
  const { issuer, call } = service
  const credential = issuer.sign(issuer.claims({ email: 'tap@third.example' }))
  await assertNothingHappens(service, async () => {
    const answer = await call('POST /auth/google/onetap', { body: { credential, hd: 'third.example' } })
    assertError(answer, 'VALIDATION_FAILED')
  })
  const headers = { hd: 'third.example', 'x-hd': 'third.example' }
  const answer = await call('POST /auth/google/onetap?hd=third.example', { body: { credential }, headers })
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await userOf(service.db, 'tap@third.example')).claimed_at_ms, null)

  const { state, nonce, jar } = await startFlow(service)
  issuer.idToken = issuer.sign(issuer.claims({ nonce, email: 'flow@third.example' }))
  const back = await comeBack(service, jar, { code: 'code-of-the-test', state, hd: 'third.example' }, headers)
  assert.equal(back.status, 200, back.text)
  assert.equal((await userOf(service.db, 'flow@third.example')).claimed_at_ms, null)
})

test('an identity without Google’s authority never joins the account of its address [G8, P5]', async () => {
  for (const hd of [undefined, 'gmail.com', 'fourth.example.evil']) {
    await service.signIn('owner@fourth.example')
    await assertRefused(service, withEach('hd', [hd], { email: 'owner@fourth.example' }), {
      code: 'EMAIL_NOT_VERIFIED',
    })
  }
})
