/** Every row of the decision table of docs/decisions/0015, with all that is written and mailed. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SIGN_IN_LIFETIME_SECONDS } from '../../../src/domain/sign-in/access-token.ts'
import { newUser } from '../../../src/domain/users/claim.ts'
import { insertIdentity } from '../../../src/domain/google/identity-store.ts'
import { insertUser } from '../../../src/domain/users/user-store.ts'
import { assertError } from '../../support/http/answers.ts'
import { eventsOf } from '../../support/mail/buttons.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { subjectsOf } from '../../support/google/identities.ts'
import { createKey, exchangesOf, statesOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { assertNothingHappens, recipientsOf, untilErased, userOf } from '../../support/database/state.ts'

const services: Record<string, GoogleService> = {}
before(async () => {
  services['open'] = await startGoogleService()
  services['closed'] = await startGoogleService({ SIGNUP: 'closed' })
})
after(() => Promise.all(Object.values(services).map((service) => service.close())))

/** Google's assertions about an address. */
const assertions = {
  'a gmail.com address': { domain: 'gmail.com', isAuthoritative: true },
  'hd equal to the domain': { domain: 'corp.example', hd: 'corp.example', isAuthoritative: true },
  'hd of another domain': { domain: 'corp.example', hd: 'other.example', isAuthoritative: false },
  'no hd': { domain: 'corp.example', isAuthoritative: false },
} as const

/** The account of the address before the sign-in, with another identity or the one that signs in. */
const accounts = {
  'no account': null,
  'an unclaimed account': { isClaimed: false },
  'an unclaimed account with another identity': { isClaimed: false, identity: 'other' },
  'an unclaimed account with this identity': { isClaimed: false, identity: 'this' },
  'a claimed account': { isClaimed: true },
  'a claimed account with another identity': { isClaimed: true, identity: 'other' },
  'a claimed account with this identity': { isClaimed: true, identity: 'this' },
  'a deleted account with this identity': { isClaimed: true, identity: 'this', isDeleted: true },
} as const

type Account = Readonly<{ isClaimed: boolean; identity?: 'this' | 'other'; isDeleted?: boolean }>

/** Creates an account with a name, a token and a key, whether or not signup is open. */
async function plant(service: GoogleService, email: string, { isClaimed, identity, isDeleted }: Account) {
  const { deps, db, clock, issuer, call } = service
  const claimedAtMs = isClaimed ? clock.now() : null
  const user = newUser(deps, { email, locale: 'en', name: 'Planted', claimedAtMs })
  await db.transaction(async (trx) => {
    await insertUser(trx, user)
    if (identity === undefined) return
    const row = { issuer: issuer.url, subject: `${identity} ${email}`, user_id: user.id }
    await insertIdentity(trx, { ...row, email, connected_at_ms: clock.now(), sign_in_id: user.id })
  })
  const about = { userId: user.id, role: 'USER', tokenVersion: 0, jti: user.id, amr: 'magic_link' } as const
  const token = deps.accessTokens.issue({ ...about, lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS })
  const key = await createKey(service, token)
  if (isDeleted) {
    assert.equal((await call('DELETE /users/me', { token })).status, 200)
    await untilErased(service)
  }
  return { token, key }
}

/** Everything that a row of the table may change. */
async function stateOf(service: GoogleService, email: string, held?: Readonly<{ token: string; key: NewKey }>) {
  const user = await userOf(service.db, email)
  return {
    isClaimed: user.claimed_at_ms !== null,
    name: user.name,
    identities: await subjectsOf(service, email),
    events: (await eventsOf(service, email)).map(({ type, detail }) => (detail ? `${type} ${detail}` : type)),
    ...(held && {
      token: (await statesOf(service, [held.token]))[0],
      key: (await exchangesOf(service, [held.key]))[0],
    }),
  }
}

/** The outcome by the table: an error code, or what happens to the account. */
function outcomeOf(account: Account | null, isAuthoritative: boolean, isOpen: boolean) {
  if (account === null || account.isDeleted) {
    if (!isOpen) return 'SIGNUP_CLOSED'
    return isAuthoritative ? 'made, claimed' : 'made, unclaimed'
  }
  if (account.identity === 'this') return isAuthoritative && !account.isClaimed ? 'claimed' : 'signed in'
  if (!isAuthoritative) return 'EMAIL_NOT_VERIFIED'
  if (!account.isClaimed) return 'claimed'
  return account.identity === undefined ? 'joined' : 'EMAIL_NOT_VERIFIED'
}

/** The state after each outcome, and the subjects of its mails. */
function expectedOf(outcome: string, email: string, earlier: Account | null) {
  const subject = `this ${email}`
  const kept = {
    isClaimed: earlier?.isClaimed === true,
    name: 'Planted',
    identities: [subject],
    token: email,
    key: 'works',
  }
  const made = { name: null, identities: [subject] }
  const connected = `google_connected ${email}`
  const last = 'signed_in google'
  const claimed = { isClaimed: true, name: null, identities: [subject], token: 'UNAUTHORIZED', key: 'KEY_AWAITS_OWNER' }
  const told = { mails: ['Your sign-in with Google changed'] }
  switch (outcome) {
    case 'made, claimed':
      return { mails: [], state: { ...made, isClaimed: true, events: ['account_created', last] } }
    case 'made, unclaimed':
      return {
        mails: ['An account was created with your address'],
        state: { ...made, isClaimed: false, events: ['account_created google', last] },
      }
    case 'claimed':
      return { ...told, state: { ...claimed, events: ['key_created', 'account_claimed', connected, last] } }
    case 'joined':
      return { ...told, state: { ...kept, events: ['key_created', connected, last] } }
    default:
      return { mails: [], state: { ...kept, events: ['key_created', last] } }
  }
}

let people = 0

for (const [signup, isOpen] of [
  ['open', true],
  ['closed', false],
] as const) {
  describe(`with signup ${signup}`, () => {
    for (const [asserted, { domain, isAuthoritative, ...assertion }] of Object.entries(assertions)) {
      for (const [which, account] of Object.entries<Account | null>(accounts)) {
        const outcome = outcomeOf(account, isAuthoritative, isOpen)
        test(`by ${asserted}, ${which}: ${outcome} [G9, M14]`, async () => {
          const service = services[signup] as GoogleService
          const email = `person-${(people += 1)}@${domain}`
          const held = account === null ? undefined : await plant(service, email, account)
          const claims = { ...assertion, sub: `this ${email}`, email }
          await recipientsOf(service)
          const earlier = service.smtp.mails.length

          if (outcome === outcome.toUpperCase()) {
            const answer = await assertNothingHappens(service, () => oneTap(service, claims))
            assertError(answer, outcome as 'EMAIL_NOT_VERIFIED')
            if (outcome !== 'EMAIL_NOT_VERIFIED') return
            const remedy = isAuthoritative
              ? 'disconnect the other Google account and connect this one'
              : 'connect Google'
            assert.match(answer.body.error.message, new RegExp(`, then ${remedy} on`))
            await service.deps.failureLog.flush()
            assert.equal((await eventsOf(service, email)).at(-1)?.type, 'sign_in_refused')
            return
          }
          const answer = await oneTap(service, claims)
          assert.equal(answer.status, 200, answer.text)
          const { id, role } = await userOf(service.db, email)
          assert.deepEqual(answer.body.user, { id, email, role })
          assert.deepEqual(await statesOf(service, [answer.body.token]), [email])
          const { mails, state } = expectedOf(outcome, email, account)
          assert.deepEqual(await stateOf(service, email, account?.isDeleted ? undefined : held), state)
          await recipientsOf(service)
          const sent = service.smtp.mails.slice(earlier)
          assert.deepEqual(
            sent.map(({ message }) => message.subject),
            mails,
          )
          assert.deepEqual(
            sent.flatMap(({ to }) => to),
            mails.map(() => email),
          )
        })
      }
    }
  })
}
