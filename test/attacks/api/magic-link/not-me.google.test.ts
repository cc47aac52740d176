/** What the not-me of a mail undoes of Google accounts: a thief's is gone for good, and the owner's own is untouched. */
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

const waits = 'KEY_AWAITS_OWNER'
let service: GoogleService
before(async () => {
  service = await startGoogleService()
  // Nothing here may rest on two things happening in the same millisecond.
  tick(service.clock)
})
after(() => service.close())

/** The not-me of the next mail to the address that holds these words. */
async function noticed(email: string, words: string): Promise<string> {
  const mail = await service.smtp.mailTo(email, 5000, words)
  await recipientsOf(service)
  return buttonIn(mail, 'not-me')
}

describe('the not-me of a connection', () => {
  test('detaches the thief’s Google account, ends every token, lets keys made since wait; older keys work on, and it cannot come back [P3]', async () => {
    const email = 'ana@example.com'
    const owner = await service.signIn(email)
    const older = await createKey(service, owner, { name: 'older' })
    const thief = await service.signIn(email)
    await connect(service, thief, { sub: 'thief ana', email: 'thief-ana@gmail.com' })
    const notice = await noticed(email, 'thief-ana@gmail.com was connected')
    const byGoogle = (await oneTap(service, { sub: 'thief ana', email: 'thief-ana@gmail.com' })).body.token
    const bad = await createKey(service, byGoogle, { name: 'bad' })
    const child = await createKey(service, await tokenOf(service, bad), { name: 'child' })
    const badToken = await tokenOf(service, bad)
    await pressNotMe(service, notice)

    assert.deepEqual(await subjectsOf(service, email), [])
    const dead = await statesOf(service, [owner, thief, byGoogle, badToken])
    assert.deepEqual(new Set(dead), new Set(['UNAUTHORIZED']))
    assert.deepEqual(await exchangesOf(service, [older, bad, child]), ['works', waits, waits])
    assertError(await connect(service, thief, { sub: 'thief ana' }), 'UNAUTHORIZED')
    assertError(await service.call(`POST /auth/api-keys/${bad.apiKey.id}/keep`, { token: byGoogle }), 'UNAUTHORIZED')
    assertError(await oneTap(service, { sub: 'thief ana', email }), 'EMAIL_NOT_VERIFIED')
    const back = await oneTap(service, { sub: 'thief ana', email: 'thief-ana@gmail.com' })
    assert.equal(back.body.user.email, 'thief-ana@gmail.com', 'an account of their own')
    const pressed = (await eventsOf(service, email)).filter(({ type }) => type === 'not_me')
    assert.deepEqual(pressed, [{ type: 'not_me', detail: 'google_notice', client: '127.0.0.1' }])
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
  })

  test('leaves a Google account that was connected before, and its holder gets in', async () => {
    const email = 'bob@example.com'
    const owner = await service.signIn(email)
    await connect(service, owner, { sub: 'bob', email: 'bob@gmail.com' })
    await noticed(email, 'was connected')
    const other = 'bert@example.com'
    await connect(service, await service.signIn(other), { sub: 'bert', email: 'bert@gmail.com' })
    await pressNotMe(service, await noticed(other, 'was connected'))
    assert.deepEqual(await subjectsOf(service, email), ['bob'], 'another’s notice')
    assert.deepEqual(await statesOf(service, [owner]), [email])

    // A thief who takes the connection out tells of it; what that mail undoes is not what was there before.
    await disconnect(service, owner)
    const notice = await noticed(email, 'was disconnected')
    const again = await service.signIn(email)
    await connect(service, again, { sub: 'thief bob' })
    await noticed(email, 'was connected')
    await pressNotMe(service, notice)
    assert.deepEqual(await subjectsOf(service, email), [], 'what a thief connected in its place')
    assert.deepEqual(await statesOf(service, [again]), ['UNAUTHORIZED'])
  })

  test('of another mail detaches what its own sign-in connected, and nothing that another did', async () => {
    const email = 'cia@example.com'
    await connect(service, await service.signIn(email), { sub: 'cia' })
    await noticed(email, 'was connected')
    await createKey(service, await service.signIn(email), { name: 'told' })
    await pressNotMe(service, await noticed(email, 'told'))
    assert.deepEqual(await subjectsOf(service, email), ['cia'])

    const other = 'cora@example.com'
    const thief = await service.signIn(other)
    await connect(service, thief, { sub: 'thief cora' })
    const bad = await createKey(service, thief, { name: 'told' })
    await pressNotMe(service, await noticed(other, 'told'))
    assert.deepEqual(await subjectsOf(service, other), [])
    assert.deepEqual(await exchangesOf(service, [bad]), [waits])
  })

  test('of a sign-in mail whose link a thief used detaches what they connected by it, and lets wait what that made', async () => {
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
    assert.deepEqual(await exchangesOf(service, [older, bad]), ['works', waits])
  })

  test('reaches what the thief rotated and kept since, and what a joined Google account did', async () => {
    const email = 'dan@gmail.com'
    const owner = await service.signIn(email)
    const [rotated, untouched] = [await createKey(service, owner), await createKey(service, owner)]
    await noticed(email, 'was made from')
    const { token } = (await oneTap(service, { sub: 'thief dan', email })).body
    const stolen = await rotateKey(service, token, rotated)
    await pressNotMe(service, await noticed(email, 'was connected'))
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.deepEqual(await exchangesOf(service, [stolen, untouched]), [waits, 'works'])
    assert.deepEqual(await statesOf(service, [token, owner]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  })

  test('acts once: what the owner connects and keeps afterwards stays, days later too', async () => {
    const email = 'eva@example.com'
    const thief = await service.signIn(email)
    await connect(service, thief, { sub: 'thief eva' })
    const notice = await noticed(email, 'was connected')
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

describe('the not-me of an account that a Google account made', () => {
  test('detaches that, ends its tokens and lets its keys wait; it cannot come back, and the holder gets in [P3, P5]', async () => {
    const email = 'fay@third.example'
    const { token } = (await oneTap(service, { sub: 'thief fay', email })).body
    const key = await createKey(service, token)
    await pressNotMe(service, await noticed(email, 'made an account'))
    assert.deepEqual(await subjectsOf(service, email), [])
    assert.deepEqual(await statesOf(service, [token]), ['UNAUTHORIZED'])
    assert.deepEqual(await exchangesOf(service, [key]), [waits])
    assertError(await oneTap(service, { sub: 'thief fay', email }), 'EMAIL_NOT_VERIFIED')
    assert.deepEqual(await statesOf(service, [await service.signIn(email)]), [email])
  })

  test('detaches also what was put in its place', async () => {
    const email = 'gus@third.example'
    const { token } = (await oneTap(service, { sub: 'thief gus', email })).body
    await disconnect(service, token)
    await connect(service, token, { sub: 'planted gus' })
    await pressNotMe(service, await noticed(email, 'made an account'))
    assert.deepEqual(await subjectsOf(service, email), [])
  })

  test('after the owner’s claim touches nothing: neither their Google account nor their tokens', async () => {
    const email = 'hal@corp.example'
    await oneTap(service, { sub: 'thief hal', email })
    const notice = await noticed(email, 'made an account')
    const { token } = (await oneTap(service, { sub: 'hal', email, hd: 'corp.example' })).body
    await pressNotMe(service, notice)
    assert.deepEqual(await subjectsOf(service, email), ['hal'])
    assert.deepEqual(await statesOf(service, [token]), [email])
  })
})
