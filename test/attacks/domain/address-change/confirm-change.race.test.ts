/** A change of an address, concurrently with everything that it excludes: one of them happens, and as a whole. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { askForChange, changeAddress, confirmWith } from '../../../support/accounts/address-changes.ts'
import { statesOf } from '../../../support/accounts/keys.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { buttonIn, press, signInMail } from '../../../support/mail/buttons.ts'
import { MAIL_WITHIN_MS } from '../../../support/mail/smtp.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { databaseContent, userOf } from '../../../support/database/state.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import type { Answer } from '../../../support/service.ts'

/** On PostgreSQL each order of the two calls comes up within six. On SQLite it depends on which call starts first. */
const ROUNDS = clusterUrl === undefined ? 2 : 6

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

const emailsOf = async (...some: string[]) =>
  (await databaseContent(service.db)).users.map(({ email }) => email).filter((email) => some.includes(email))
const codeOf = ({ status, body }: Answer) => body?.error?.code ?? status

/** Runs both at once, in rounds that start in turn with either. */
async function race(
  name: string,
  prepare: (round: { from: string; to: string }) => Promise<readonly [() => Promise<Answer>, () => Promise<Answer>]>,
  check: (codes: readonly [unknown, unknown], round: { from: string; to: string }) => Promise<void>,
): Promise<void> {
  for (let n = 0; n < ROUNDS; n += 1) {
    const round = { from: `${name}-${n}@example.com`, to: `${name}-${n}-new@example.com` }
    const calls = await prepare(round)
    const answers = await runInLockstep(service, 2, (index) => (calls[(index + n) % 2] ?? assert.fail())())
    const [one, other] = n % 2 === 0 ? answers : answers.toReversed()
    assert.ok(one && other)
    await check([codeOf(one), codeOf(other)], round)
  }
}

describe('a change and', () => {
  test('the same confirmation: one of them gets a token, which works', () =>
    race(
      'twice',
      async ({ from, to }) => {
        const token = await service.signIn(from)
        const mailed = await askForChange(service, token, to)
        return [() => confirmWith(service, token, mailed), () => confirmWith(service, token, mailed)]
      },
      async (codes) => assert.deepEqual([...codes].toSorted(), [200, 'UNAUTHORIZED']),
    ))

  test('a change of another account to the same address: one account gets it', () =>
    race(
      'same',
      async ({ from, to }) => {
        const [one, other] = [await service.signIn(from), await service.signIn(`other-${from}`)]
        const [first, second] = [await askForChange(service, one, to), await askForChange(service, other, to)]
        return [() => confirmWith(service, one, first), () => confirmWith(service, other, second)]
      },
      async (codes, { from, to }) => {
        const lost = codes.find((code) => code !== 200)
        // The winner's confirmation uses up the links of the address.
        assert.ok(lost === 'EMAIL_TAKEN' || lost === 'LINK_INVALID', codes.join(' '))
        const emails = await emailsOf(from, `other-${from}`, to)
        assert.equal(emails.length, 2)
        assert.ok(emails.includes(to))
      },
    ))

  test('a sign-in with an old link: no account has the old address afterwards, or the change came later', () =>
    race(
      'old-link',
      async ({ from, to }) => {
        const token = await service.signIn(from)
        const mailed = await askForChange(service, token, to)
        const { link } = await signInMail(service, from)
        return [() => confirmWith(service, token, mailed), () => service.call(`GET /auth/verify?token=${link}`)]
      },
      async ([changed, signedIn], { from, to }) => {
        assert.equal(changed, 200)
        assert.ok(signedIn === 200 || signedIn === 'LINK_INVALID', String(signedIn))
        assert.deepEqual(await emailsOf(from, to), [to])
      },
    ))

  for (const [what, take] of [
    ['a signup with', (email: string) => service.call('POST /auth/api/signup', { body: { email } })],
    ['a Google sign-in with', (email: string) => oneTap(service, { sub: email, email, hd: 'example.com' })],
  ] as const) {
    test(`${what} the old address: it belongs to nobody else`, () =>
      race(
        `old ${what.split(' ')[1]}`.replaceAll(' ', '-').toLowerCase(),
        async ({ from, to }) => {
          const token = await service.signIn(from)
          const mailed = await askForChange(service, token, to)
          return [() => confirmWith(service, token, mailed), () => take(from)]
        },
        async ([changed], { from, to }) => {
          assert.equal(changed, 200)
          assert.deepEqual(await emailsOf(from, to), [to])
        },
      ))

    test(`${what} the new address: one of them gets it`, () =>
      race(
        `new ${what.split(' ')[1]}`.replaceAll(' ', '-').toLowerCase(),
        async ({ from, to }) => {
          const token = await service.signIn(from)
          const mailed = await askForChange(service, token, to)
          return [() => confirmWith(service, token, mailed), () => take(to)]
        },
        async ([changed, taken], { from, to }) => {
          const emails = await emailsOf(from, to)
          if (changed === 200) assert.deepEqual(emails, [to])
          else assert.deepEqual([changed, emails.toSorted()], ['EMAIL_TAKEN', [from, to].toSorted()], String(taken))
        },
      ))
  }

  test('a deletion: the account is gone, and only the undo brings it back', () =>
    race(
      'delete',
      async ({ from, to }) => {
        const token = await service.signIn(from)
        const mailed = await askForChange(service, token, to)
        return [() => confirmWith(service, token, mailed), () => service.call('DELETE /users/me', { token })]
      },
      async ([changed, deleted], { from, to }) => {
        assert.deepEqual([changed, deleted].toSorted(), [200, 'UNAUTHORIZED'])
        assert.deepEqual(await emailsOf(from, to), changed === 200 ? [to] : [])
      },
    ))

  test('“this wasn’t me” in the notice of it: the account keeps the address, and the sign-in is over', () =>
    race(
      'not-me',
      async ({ from, to }) => {
        const token = await service.signIn(from)
        const mailed = await askForChange(service, token, to)
        const notMe = buttonIn(await service.smtp.mailTo(from, MAIL_WITHIN_MS, 'asked to change'), 'not-me')
        return [() => confirmWith(service, token, mailed), () => press(service, 'not-me', notMe)]
      },
      async ([changed, disowned], { from, to }) => {
        assert.ok(changed === 200 || changed === 'UNAUTHORIZED', String(changed))
        assert.equal(disowned, 200)
        assert.deepEqual(await emailsOf(from, to), [from])
      },
    ))
})

describe('an undo and', () => {
  test('a second change by the thief: the account has the first address', () =>
    race(
      'undo',
      async ({ from, to }) => {
        const changed = await changeAddress(service, await service.signIn(from), { from, to })
        const mailed = await askForChange(service, changed.token, `third-${to}`)
        return [() => press(service, 'undo-email', changed.undo), () => confirmWith(service, changed.token, mailed)]
      },
      async ([undone], { from, to }) => {
        assert.equal(undone, 200)
        assert.deepEqual(await emailsOf(from, to, `third-${to}`), [from])
      },
    ))

  test('a deletion by the thief: the account is back, with the first address', () =>
    race(
      'undelete',
      async ({ from, to }) => {
        const changed = await changeAddress(service, await service.signIn(from), { from, to })
        return [
          () => press(service, 'undo-email', changed.undo),
          () => service.call('DELETE /users/me', { token: changed.token }),
        ]
      },
      async ([undone], { from }) => {
        assert.equal(undone, 200)
        assert.equal((await userOf(service.db, from)).disabled_at_ms, null)
        assert.deepEqual(await statesOf(service, [await service.signIn(from)]), [from])
      },
    ))

  test('another press of it: both are answered, and it happens once', () =>
    race(
      'press-twice',
      async ({ from, to }) => {
        const changed = await changeAddress(service, await service.signIn(from), { from, to })
        const undo = () => press(service, 'undo-email', changed.undo)
        return [undo, undo]
      },
      async (codes, { from }) => {
        assert.deepEqual(codes, [200, 200])
        const { id } = await userOf(service.db, from)
        const { events } = await databaseContent(service.db)
        assert.equal(events.filter((one) => one.user_id === id && one.type === 'email_change_undone').length, 1)
      },
    ))
})
