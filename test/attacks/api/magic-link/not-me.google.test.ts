import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { buttonIn, eventsOf, pressNotMe, signInMail } from '../../../support/mail/buttons.ts'
import { tick } from '../../../support/clock.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { connect, disconnect, subjectsOf } from '../../../support/google/identities.ts'
import { createKey, exchangesOf, keepKey, rotateKey, statesOf, tokenOf } from '../../../support/accounts/keys.ts'
import { verify } from '../../../support/mail/links.ts'
import { recipientsOf } from '../../../support/database/state.ts'

const AWAITS = 'KEY_AWAITS_OWNER'
let service: GoogleService
before(async () => {
  service = await startGoogleService()
  // Distinct timestamps: the result must not depend on two events in one millisecond.
  tick(service.clock)
})
after(() => service.close())

/** The not-me token of the next mail to the address that contains these words. */
async function notMeFrom(email: string, words: string): Promise<string> {
  const mail = await service.smtp.mailTo(email, 5000, words)
  await recipientsOf(service)
  return buttonIn(mail, 'not-me')
}

describe('the not-me of a connection', () => {
  test('detaches the thief’s Google account for good, ends every token and makes keys created since then await the owner; older keys keep working [P3]', async () => {
    const email = 'ana@example.com'
    const owner = await service.signIn(email)
    const older = await createKey(service, owner, { name: 'older' })
    const thief = await service.signIn(email)
    await connect(service, thief, { sub: 'thief ana', email: 'thief-ana@gmail.com' })
    const notice = await notMeFrom(email, 'thief-ana@gmail.com was connected')
    const byGoogle = (await oneTap(service, { sub: 'thief ana', email: 'thief-ana@gmail.com' })).body.token
    const bad = await createKey(service, byGoogle, { name: 'bad' })
    const child = await createKey(service, await tokenOf(service, bad), { name: 'child' })
    const badToken = await tokenOf(service, bad)
    await pressNotMe(service, notice)

    assert.deepEqual(await subjectsOf(service, email), [])
    const dead = await statesOf(service, [owner, thief, byGoogle, badToken])
    assert.deepEqual(new Set(dead), new Set(['UNAUTHORIZED']))
    assert.deepEqual(await exchangesOf(service, [older, bad, child]), ['works', AWAITS, AWAITS])
    assertError(await connect(service, thief, { sub: 'thief ana' }), 'UNAUTHORIZED')
    assertError(await service.call(`POST /auth/api-keys/${bad.apiKey.id}/keep`, { token: byGoogle }), 'UNAUTHORIZED')
    assertError(await oneTap(service, { sub: 'thief ana', email }), 'EMAIL_NOT_VERIFIED')
    const back = await oneTap(service, { sub: 'thief ana', email: 'thief-ana@gmail.com' })
    assert.equal(back.body.user.email, 'thief-ana@gmail.com', 'the thief’s own account')
    const pressed = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
    assert.deepEqual(pressed, [{ type: 'not_me', detail: 'google_notice', client: '127.0.0.1' }])
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
  })

  test('leaves a Google account that was connected before it, and its holder can sign in', async () => {
    const email = 'bob@example.com'
    const owner = await service.signIn(email)
    await connect(service, owner, { sub: 'bob', email: 'bob@gmail.com' })
    await notMeFrom(email, 'was connected')
    const other = 'bert@example.com'
    await connect(service, await service.signIn(other), { sub: 'bert', email: 'bert@gmail.com' })
    await pressNotMe(service, await notMeFrom(other, 'was connected'))
    assert.deepEqual(await subjectsOf(service, email), ['bob'], 'another account’s notice')
    assert.deepEqual(await statesOf(service, [owner]), [email])

    // A disconnection sends a notice too. Its not-me detaches later connections and does not restore earlier ones.
    await disconnect(service, owner)
    const notice = await notMeFrom(email, 'was disconnected')
    const again = await service.signIn(email)
    await connect(service, again, { sub: 'thief bob' })
    await notMeFrom(email, 'was connected')
    await pressNotMe(service, notice)
    assert.deepEqual(await subjectsOf(service, email), [], 'what the thief connected in its place')
    assert.deepEqual(await statesOf(service, [again]), ['UNAUTHORIZED'])
  })

  test('of another mail detaches what the same sign-in connected, and nothing else', async () => {
    const email = 'cia@example.com'
    await connect(service, await service.signIn(email), { sub: 'cia' })
    await notMeFrom(email, 'was connected')
    await createKey(service, await service.signIn(email), { name: 'told' })
    await pressNotMe(service, await notMeFrom(email, 'told'))
    assert.deepEqual(await subjectsOf(service, email), ['cia'])

    const other = 'cora@example.com'
    const thief = await service.signIn(other)
    await connect(service, thief, { sub: 'thief cora' })
    const bad = await createKey(service, thief, { name: 'told' })
    await pressNotMe(service, await notMeFrom(other, 'told'))
    assert.deepEqual(await subjectsOf(service, other), [])
    assert.deepEqual(await exchangesOf(service, [bad]), [AWAITS])
  })

  test('of a sign-in mail detaches what its link’s sign-in connected and makes the keys that followed await the owner', async () => {
    const email = 'cleo@example.com'
    const older = await createKey(service, await service.signIn(email))
    await recipientsOf(service)
    const mail = await signInMail(service, email)
    const { body } = await verify(service, mail.link)
    await connect(service, body.token, { sub: 'thief cleo' })
    const byGoogle = (await oneTap(service, { sub: 'thief cleo' })).body.token
    const bad = await createKey(service, byGoogle)
    await pressNotMe(service, mail.notMe)
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.deepEqual(await statesOf(service, [body.token, byGoogle]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
    assert.deepEqual(await exchangesOf(service, [older, bad]), ['works', AWAITS])
  })

  test('reaches keys that the thief rotated since, and the sign-ins of the joined Google account', async () => {
    const email = 'dan@gmail.com'
    const owner = await service.signIn(email)
    const [rotated, untouched] = [await createKey(service, owner), await createKey(service, owner)]
    await notMeFrom(email, 'was created from')
    const { token } = (await oneTap(service, { sub: 'thief dan', email })).body
    const stolen = await rotateKey(service, token, rotated)
    await pressNotMe(service, await notMeFrom(email, 'was connected'))
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.deepEqual(await exchangesOf(service, [stolen, untouched]), [AWAITS, 'works'])
    assert.deepEqual(await statesOf(service, [token, owner]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  })

  test('acts once: what the owner connects and keeps afterwards stays, days later too', async () => {
    const email = 'eva@example.com'
    const thief = await service.signIn(email)
    await connect(service, thief, { sub: 'thief eva' })
    const notice = await notMeFrom(email, 'was connected')
    const bad = await createKey(service, thief)
    service.clock.advance(6 * 24 * 3600 * 1000)
    await pressNotMe(service, notice)
    const owner = await service.signIn(email)
    await connect(service, owner, { sub: 'eva' })
    await keepKey(service, owner, bad)
    await pressNotMe(service, notice)
    assert.deepEqual(await subjectsOf(service, email), ['eva'])
    assert.deepEqual(await exchangesOf(service, [bad]), ['works'])
    assert.deepEqual(await statesOf(service, [owner]), [email])
  })
})

describe('the not-me of an account that a Google account created', () => {
  test('detaches the Google account for good, ends its tokens and makes its keys await the owner, who can still sign in [P3, P5]', async () => {
    const email = 'fay@third.example'
    const { token } = (await oneTap(service, { sub: 'thief fay', email })).body
    const key = await createKey(service, token)
    await pressNotMe(service, await notMeFrom(email, 'created an account'))
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.deepEqual(await statesOf(service, [token]), ['UNAUTHORIZED'])
    assert.deepEqual(await exchangesOf(service, [key]), [AWAITS])
    assertError(await oneTap(service, { sub: 'thief fay', email }), 'EMAIL_NOT_VERIFIED')
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
  })

  test('detaches a Google account that was connected in its place, too', async () => {
    const email = 'gus@third.example'
    const { token } = (await oneTap(service, { sub: 'thief gus', email })).body
    await disconnect(service, token)
    await connect(service, token, { sub: 'planted gus' })
    await pressNotMe(service, await notMeFrom(email, 'created an account'))
    assert.deepEqual(await subjectsOf(service, email), [])
  })

  test('changes nothing after the owner’s claim: neither their Google account nor their tokens', async () => {
    const email = 'hal@corp.example'
    await oneTap(service, { sub: 'thief hal', email })
    const notice = await notMeFrom(email, 'created an account')
    const { token } = (await oneTap(service, { sub: 'hal', email, hd: 'corp.example' })).body
    await pressNotMe(service, notice)
    assert.deepEqual(await subjectsOf(service, email), ['hal'])
    assert.deepEqual(await statesOf(service, [token]), [email])
  })
})
