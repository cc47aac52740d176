/** `POST /users/me/email`: a link to the new address, a notice to the old one, and nothing told about other accounts. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { askForChange, changeAddress, confirmWith } from '../../support/accounts/address-changes.ts'
import { signUpAndClaim } from '../../support/accounts/keys.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { buttonIn, eventsOf, press } from '../../support/mail/buttons.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const ROUTE = 'POST /users/me/email'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = (token: string, email: unknown) => service.call(ROUTE, { token, body: { email } })

async function mailsSince(count: number): Promise<string[]> {
  return (await recipientsOf(service)).slice(count).toSorted()
}

test('mails a link to the new address and a notice to the old one, and does not change the address', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  const sent = (await recipientsOf(service)).length
  const was = await databaseContent(service.db)
  const answer = await ask(token, ' Ana.New@Example.com ')
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual(answer.body, { ok: true })
  assertUncacheable(answer)
  assert.deepEqual(await mailsSince(sent), ['ana.new@example.com', email])
  const { users, links, identities } = await databaseContent(service.db)
  assert.deepEqual({ users, links, identities }, { users: was.users, links: was.links, identities: [] })
  assert.deepEqual((await eventsOf(service, email)).at(-1), {
    type: 'email_change_asked',
    detail: 'ana.new@example.com',
    client: '127.0.0.1',
  })
  const notice = await service.smtp.mailTo(email, undefined, 'asked to change')
  assert.match(notice.message.text ?? '', /a\*\*\*@example\.com/)
  assert.ok(!notice.raw.includes('ana.new'), 'the new address is masked')
  const link = await service.smtp.mailTo('ana.new@example.com')
  assert.ok(!link.raw.includes(email), 'a mail to an unproven address does not name the account')
})

describe('says the same and writes as much for an address that', () => {
  /** Compares with a free address. */
  async function assertAlike(name: string, taken: string, says: RegExp | undefined): Promise<void> {
    const token = await service.signIn(`${name}@example.com`)
    const free = await ask(token, `${name}-free@example.com`)
    await recipientsOf(service)
    const rows = (await databaseContent(service.db)).addressChanges.length
    const sent = (await recipientsOf(service)).length
    const answer = await ask(token, taken)
    assert.equal(fingerprintOf(answer), fingerprintOf(free))
    if (says === undefined) return assert.deepEqual(await mailsSince(sent), [])
    assert.deepEqual(await mailsSince(sent), [taken, `${name}@example.com`].toSorted())
    assert.equal((await databaseContent(service.db)).addressChanges.length, rows + 1)
    const mail = service.smtp.mails.findLast(({ to }) => to.includes(taken))
    assert.match(mail?.message.subject ?? '', says)
    assert.ok(!mail?.raw.includes('/confirm-email'), 'and the mail has no link')
    const { confirmed_at_ms: confirmedAtMs } = (await databaseContent(service.db)).addressChanges.at(-1) ?? {}
    assert.equal(confirmedAtMs, null)
  }

  test('has an account', async () => {
    await service.signIn('bob-taken@example.com')
    await assertAlike('bob', 'bob-taken@example.com', /has an account already/)
  })

  test('has an account that nobody has claimed', async () => {
    await service.signUp('cia-taken@example.com')
    await assertAlike('cia', 'cia-taken@example.com', /has an account already/)
  })

  test('is reserved for an account that had it until lately', async () => {
    const from = 'dan-taken@example.com'
    await changeAddress(service, await service.signIn(from), { from, to: 'dan-away@example.com' })
    await assertAlike('dan', from, /has an account already/)
  })

  test('is the present one, but sends no mail', () => assertAlike('eva', 'eva@example.com', undefined))
})

test('a second request replaces the first, whose link is void', async () => {
  const email = 'fay@example.com'
  const token = await service.signIn(email)
  const first = await askForChange(service, token, 'fay-1@example.com')
  const second = await askForChange(service, token, 'fay-2@example.com')
  assertError(await confirmWith(service, token, first), 'LINK_INVALID')
  assert.equal((await confirmWith(service, token, second)).body.user.email, 'fay-2@example.com')
})

test('a request repeated after a failure of the mail server gets links that all work for ten minutes', async () => {
  const token = await service.signIn('gil@example.com')
  const first = await askForChange(service, token, 'gil-2@example.com')
  const second = await askForChange(service, token, 'gil-2@example.com')
  assert.notEqual(first, second)
  service.clock.advance(10 * 60_000 - 1)
  assert.equal((await confirmWith(service, token, first)).status, 200)
})

test('“this wasn’t me” in the notice ends the sign-in that asked, and the change', async () => {
  const email = 'hal@example.com'
  const token = await service.signIn(email)
  const mailed = await askForChange(service, token, 'hal-thief@example.com')
  const notice = await service.smtp.mailTo(email, undefined, 'asked to change')
  assert.equal((await press(service, 'not-me', buttonIn(notice, 'not-me'))).status, 200)
  assertError(await confirmWith(service, token, mailed), 'UNAUTHORIZED')
  const again = await service.signIn(email)
  assertError(await confirmWith(service, again, mailed), 'LINK_INVALID')
  assert.equal((await userOf(service.db, email)).email, email)
})

test('“this wasn’t me” in the mail to the new address voids its link and touches no account', async () => {
  const token = await service.signIn('ida@example.com')
  const mailed = await askForChange(service, token, 'ida-2@example.com')
  const mail = service.smtp.mails.findLast(({ to }) => to.includes('ida-2@example.com'))
  assert.ok(mail)
  assert.equal((await press(service, 'not-me', buttonIn(mail, 'not-me'))).status, 200)
  assertError(await confirmWith(service, token, mailed), 'LINK_INVALID')
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
})

describe('is refused, and nothing happens,', () => {
  const refused = (call: () => ReturnType<typeof ask>) => assertNothingHappens(service, call)

  test('with a key’s token, on a claimed account and on one that nobody has claimed', async () => {
    const { key } = await signUpAndClaim(service, 'jan@example.com')
    const unclaimed = await service.signUp('jon@example.com')
    assert.ok(key)
    assertError(await refused(() => ask(unclaimed.token, 'jon-2@example.com')), 'SIGN_IN_REQUIRED')
  })

  test('eleven minutes after the sign-in', async () => {
    const token = await service.signIn('kai@example.com')
    service.clock.advance(11 * 60_000)
    assertError(await refused(() => ask(token, 'kai-2@example.com')), 'SIGN_IN_REQUIRED')
  })

  test('for an invalid address', async () => {
    const token = await service.signIn('lea@example.com')
    for (const email of ['', 'lea', 'lea@example.com, bob@example.com', 'lea@@example.com', 7, null])
      assertError(await refused(() => ask(token, email)), 'VALIDATION_FAILED')
  })

  test('without a token that is in force', async () => {
    const token = await service.signIn('max@example.com')
    await service.call('POST /auth/tokens/revoke', { token })
    assertError(await refused(() => ask(token, 'max-2@example.com')), 'UNAUTHORIZED')
  })
})
