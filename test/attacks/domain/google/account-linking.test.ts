/** No one gets into an account by an unproven address at Google, whatever it looks like and whenever it arrives. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, oneTap, redirectFlow, startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { connect, connectedTo, subjectsOf } from '../../../support/google/identities.ts'
import { createKey, exchangesOf, statesOf } from '../../../support/accounts/keys.ts'
import type { Answer } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../../support/database/state.ts'

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

const emailOf = ({ body }: Answer) => body.user?.email

describe('the identity is issuer and subject, never the address', () => {
  test('an address that changed at Google changes no account, even if it has an account here; another subject with that address is refused [nOAuth]', async () => {
    const [old, taken] = ['ana@gmail.com', 'bob@gmail.com']
    const first = await oneTap(service, { sub: 'ana', email: old })
    await service.signIn(taken)
    const other = await userOf(service.db, taken)
    const again = await oneTap(service, { sub: 'ana', email: taken })
    assert.deepEqual(again.body.user, first.body.user)
    assert.equal(emailOf(again), old)
    assert.deepEqual(await userOf(service.db, taken), other)
    assert.deepEqual(await subjectsOf(service, taken), [])
    assert.equal(await connectedTo(service, again.body.token), taken, 'the connection shows the current Google address')

    assertError(await oneTap(service, { sub: 'other', email: old }), 'EMAIL_NOT_VERIFIED')
    assert.deepEqual(await subjectsOf(service, old), ['ana'])
    const bob = await oneTap(service, { sub: 'bob', email: taken })
    assert.equal(bob.body.user.id, other.id, 'the address’s own holder can still sign in')
  })

  test('a changed address claims nothing: only proof of the account’s own address does', async () => {
    const email = 'cia@corp.example'
    assert.equal((await oneTap(service, { sub: 'cia', email })).status, 200)
    assert.equal(emailOf(await oneTap(service, { sub: 'cia', email: 'cia-thief@gmail.com' })), email)
    assert.equal((await userOf(service.db, email)).claimed_at_ms, null)
    assert.equal((await oneTap(service, { sub: 'cia', email, hd: 'corp.example' })).status, 200)
    assert.notEqual((await userOf(service.db, email)).claimed_at_ms, null)
  })

  test('a reassigned address with a new subject opens no account: by flow and by One Tap, with Google’s authority and without [G14]', async () => {
    for (const [email, hd] of [
      ['dan@corp.example', 'corp.example'],
      ['dan@gmail.com', undefined],
      ['dan@third.example', undefined],
    ] as const) {
      const claims = { email, ...(hd && { hd }) }
      const former = await oneTap(service, { sub: `former ${email}`, ...claims })
      assert.equal(former.status, 200)
      await recipientsOf(service)
      const stored = await databaseContent(service.db)
      assertError(await oneTap(service, { sub: `next ${email}`, ...claims }), 'EMAIL_NOT_VERIFIED')
      assert.deepEqual(await databaseContent(service.db), stored)
      assertError(await redirectFlow(service, { sub: `next ${email}`, ...claims }), 'EMAIL_NOT_VERIFIED')
      assert.deepEqual(await subjectsOf(service, email), [`former ${email}`])
      assert.deepEqual(await statesOf(service, [former.body.token]), [email])
    }
  })

  test('a subject in another letter case or with a space is another identity', async () => {
    const email = 'eve@gmail.com'
    await oneTap(service, { sub: 'eve', email })
    for (const sub of ['EVE', 'eve ', ' eve']) {
      assertError(await oneTap(service, { sub, email }), 'EMAIL_NOT_VERIFIED')
    }
    // Not valid subjects (OpenID Connect Core 1.0, section 2: ASCII), refused without a query.
    for (const sub of ['eve\u0000', 'eve\ud800', 'ｅｖｅ']) {
      assertError(await oneTap(service, { sub, email }), 'GOOGLE_CREDENTIAL_INVALID')
    }
    assert.deepEqual(await subjectsOf(service, email), ['eve'])
  })
})

describe('Google’s authority covers gmail.com and a Workspace’s own domain', () => {
  const lookAlikes = [
    ['fay@gmail.com.evil.example'],
    ['fay@googlemail.com'],
    ['fay@sub.gmail.com'],
    ['fay@xgmail.com'],
    ['fay@gmail.co'],
    ['fay@gmail.com.evil.example', 'gmail.com'],
    ['fay@sub.corp.example', 'corp.example'],
    ['fay@corp.example', 'sub.corp.example'],
    ['fay@corp.example.evil.example', 'corp.example'],
    ['fay@xcorp.example', 'corp.example'],
    ['fay@victim.example', ''],
    ['fay@victim.example', '*'],
    ['fay@victim.example', 'victim.example.'],
    ['fay@victim.example', '@victim.example'],
    ['fay@victim.example', 'victim.example,corp.example'],
  ] as const

  test('a look-alike of either neither joins nor claims an account [G9, P5]', async () => {
    for (const [index, [like, hd]] of lookAlikes.entries()) {
      const email = like.replace('fay', `fay${index}`)
      const claimed = index % 2 === 0
      const key = claimed ? undefined : await service.signUp(email)
      if (claimed) await service.signIn(email)
      const refused = () => oneTap(service, { email, ...(hd !== undefined && { hd }) })
      const answer = await assertNothingHappens(service, refused)
      assertError(answer, 'EMAIL_NOT_VERIFIED', /Sign in by magic link, then connect Google/)
      if (key) assert.deepEqual(await statesOf(service, [key.token]), [email])
    }
  })

  test('an address in capitals or full width belongs to the account of its stored form', async () => {
    const token = await service.signIn('gus@gmail.com')
    for (const email of ['GUS@GMAIL.COM', 'Gus@Gmail.Com', 'ｇｕｓ@ｇｍａｉｌ.ｃｏｍ']) {
      const answer = await oneTap(service, { sub: 'gus', email })
      assert.equal(emailOf(answer), 'gus@gmail.com', answer.text)
    }
    assert.deepEqual(await subjectsOf(service, 'gus@gmail.com'), ['gus'])
    assert.deepEqual(await statesOf(service, [token]), ['gus@gmail.com'])
    const hd = await oneTap(service, { email: 'gus@CORP.Example', hd: 'Corp.EXAMPLE' })
    assert.notEqual((await userOf(service.db, 'gus@corp.example')).claimed_at_ms, null, hd.text)
  })

  test('addresses that differ in dots or plus tags are different addresses', async () => {
    await service.signIn('hal.pop@gmail.com')
    for (const email of ['halpop@gmail.com', 'hal.pop+x@gmail.com']) {
      assert.equal(emailOf(await oneTap(service, { email })), email)
    }
    assert.deepEqual(await subjectsOf(service, 'hal.pop@gmail.com'), [])
  })

  test('an hd or other claim in the request does not count as Google’s [G10]', async () => {
    const email = 'ida@corp.example'
    await service.signIn(email)
    const { issuer, call } = service
    const credential = () => issuer.sign(issuer.claims({ email }))
    const hd = 'corp.example'
    const stored = () =>
      assertNothingHappens(service, () =>
        call(`POST /auth/google/onetap?hd=${hd}`, { body: { credential: credential() }, headers: { hd, 'x-hd': hd } }),
      )
    assertError(await stored(), 'EMAIL_NOT_VERIFIED')
    assertError(await call('POST /auth/google/onetap', { body: { credential: credential(), hd } }), 'VALIDATION_FAILED')
    const { state, nonce, jar } = await startFlow(service)
    issuer.idToken = issuer.sign(issuer.claims({ email, nonce }))
    const parameters = { code: 'c', state, hd, email_verified: 'true' }
    assertError(await comeBack(service, jar, parameters), 'EMAIL_NOT_VERIFIED')
    assert.deepEqual(await subjectsOf(service, email), [])
  })

  test('an unverified address is refused for a new user, an existing account and a known identity [P5, G8]', async () => {
    const email = 'jon@gmail.com'
    await service.signIn(email)
    await oneTap(service, { sub: 'jim', email: 'jim@gmail.com' })
    await recipientsOf(service)
    for (const verified of [false, 'true', 1, null, undefined]) {
      for (const claims of [{ email }, { email: 'jane@gmail.com' }, { sub: 'jim', email: 'jim@gmail.com' }]) {
        const refused = () => oneTap(service, { ...claims, email_verified: verified })
        assertError(await assertNothingHappens(service, refused), 'EMAIL_NOT_VERIFIED')
      }
    }
  })
})

describe('a thief who took the address first', () => {
  test('by signup keeps no working key or token when the owner signs in with Google, by One Tap and by flow [GHSA-g38m-r43w-p2q7, P1, P2, M14]', async () => {
    for (const [email, signIn] of [
      ['kim@gmail.com', oneTap],
      ['kit@gmail.com', redirectFlow],
    ] as const) {
      const signedUp = await service.call('POST /auth/api/signup', { body: { email, name: 'Thief' } })
      const { token, apiKey, keySecret } = signedUp.body
      const trojan = await createKey(service, token)
      const owner = await signIn(service, { email })
      assert.equal(owner.status, 200, owner.text)
      assert.equal(owner.body.needsOnboarding, true)
      assert.deepEqual(await statesOf(service, [token]), ['UNAUTHORIZED'])
      const AWAITS = 'KEY_AWAITS_OWNER'
      assert.deepEqual(await exchangesOf(service, [{ apiKey, keySecret }, trojan]), [AWAITS, AWAITS])
      assertError(await service.call(`POST /auth/api-keys/${trojan.apiKey.id}/keep`, { token }), 'UNAUTHORIZED')
      const { user } = (await service.call('GET /users/me', { token: owner.body.token })).body
      assert.deepEqual([user.id, user.name], [signedUp.body.user.id, null])
    }
  })

  test('by their own Google account is detached for good at the owner’s first proof, by link and by Google [P3, P1]', async () => {
    for (const [email, hd] of [
      ['lea@corp.example', 'corp.example'],
      ['leo@corp.example', undefined],
    ] as const) {
      const thief = await oneTap(service, { sub: `thief ${email}`, email })
      const { token } = thief.body
      const key = await createKey(service, token)
      // The most they can do on an unclaimed account: replace the connected identity.
      await service.call('DELETE /auth/google/connection', { token })
      assert.equal((await connect(service, token, { sub: `planted ${email}`, email: `t-${email}` })).status, 200)
      const owner = hd
        ? (await oneTap(service, { sub: `owner ${email}`, email, hd })).body.token
        : await service.signIn(email)
      assert.deepEqual(await subjectsOf(service, email), hd ? [`owner ${email}`] : [])
      assert.deepEqual(await statesOf(service, [token, owner]), ['UNAUTHORIZED', email])
      assert.deepEqual(await exchangesOf(service, [key]), ['KEY_AWAITS_OWNER'])
      assertError(await oneTap(service, { sub: `thief ${email}`, email }), 'EMAIL_NOT_VERIFIED')
      const back = await oneTap(service, { sub: `planted ${email}`, email: `t-${email}` })
      assert.equal(emailOf(back), `t-${email}`, 'the thief’s own account')
      assertError(await connect(service, token, { sub: `planted2 ${email}`, email }), 'UNAUTHORIZED')
    }
  })

  test('by a Google account without authority does not lock the owner out: the owner signs in by link and connects their own', async () => {
    const email = 'max@third.example'
    await oneTap(service, { sub: 'thief max', email })
    assertError(await oneTap(service, { sub: 'max', email }), 'EMAIL_NOT_VERIFIED', /magic link/)
    const owner = await service.signIn(email)
    assert.equal((await connect(service, owner, { sub: 'max', email })).status, 200)
    assert.equal(emailOf(await oneTap(service, { sub: 'max', email })), email)
    assertError(await oneTap(service, { sub: 'thief max', email }), 'EMAIL_NOT_VERIFIED')
  })
})

test('refused joins leave one counted event that the owner sees and an earlier signup does not', async () => {
  const email = 'rex@corp.example'
  const { token } = await service.signUp(email)
  for (let n = 0; n < 3; n += 1) assertError(await oneTap(service, { email }), 'EMAIL_NOT_VERIFIED')
  await service.deps.failureLog.flush()
  const refusalsOf = async (caller: string) => {
    const { body } = await service.call('GET /auth/events', { token: caller })
    return body.events.filter(({ type }: { type: string }) => type === 'sign_in_refused')
  }
  assert.deepEqual(await refusalsOf(token), [])
  const [refused, ...more] = await refusalsOf(await service.signIn(email))
  assert.deepEqual(more, [])
  assert.deepEqual([refused.detail, refused.times, refused.client], ['google', 3, '127.0.0.1'])
})
