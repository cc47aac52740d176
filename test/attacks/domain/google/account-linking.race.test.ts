import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { eventsOf } from '../../../support/mail/buttons.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { subjectsOf } from '../../../support/google/identities.ts'
import { listKeys, statesOf } from '../../../support/accounts/keys.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import type { Answer } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { until } from '../../../support/until.ts'

let service: GoogleService
before(async () => void (service = await startGoogleService()))
after(() => service.close())

const typesOf = async (email: string) => (await eventsOf(service, email)).map(({ type }) => type)

describe('concurrently,', () => {
  const accountsOf = async (email: string) => {
    const rows = await service.db.query.selectFrom('users').select('id').where('email', '=', email).execute()
    return rows.length
  }

  for (const [authority, email] of [
    ['with', 'nan@gmail.com'],
    ['without', 'nan@third.example'],
  ] as const) {
    test(`twenty first sign-ins of one identity create one account, ${authority} Google’s authority`, async () => {
      const answers = await runInLockstep(service, 20, () => oneTap(service, { sub: `nan ${authority}`, email }))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1)
      assert.deepEqual(await subjectsOf(service, email), [`nan ${authority}`])
      assert.equal((await typesOf(email)).filter((type) => type === 'account_created').length, 1)
      assert.equal(await accountsOf(email), 1)
    })

    test(`first sign-ins of two identities with one address create one account for one of them, ${authority} Google’s authority`, async () => {
      const address = email.replace('nan', 'ned')
      const answers = await runInLockstep(service, 20, (n) =>
        oneTap(service, { sub: `ned${n % 2} ${authority}`, email: address }),
      )
      const [subject = '', ...others] = await subjectsOf(service, address)
      assert.deepEqual(others, [])
      for (const [n, answer] of answers.entries()) {
        if (subject === `ned${n % 2} ${authority}`) assert.equal(answer.status, 200, answer.text)
        else assertError(answer, 'EMAIL_NOT_VERIFIED')
      }
      assert.equal(await accountsOf(address), 1)
    })
  }

  const needsServer = clusterUrl === undefined && 'SQLite has one writer at a time'
  test(
    'an account created at that moment is joined as an existing one, and its owner is notified',
    { skip: needsServer },
    async () => {
      const email = 'nia@gmail.com'
      const [stranger, observer] = [0, 1].map(() => new Client({ connectionString: service.databaseUrl })) as [
        Client,
        Client,
      ]
      await Promise.all([stranger.connect(), observer.connect()])
      await stranger.query('begin')
      const columns = 'id, email, role, token_version, created_at_ms'
      await stranger.query(`insert into users (${columns}) values ('nia', $1, 'USER', 0, 1)`, [email])
      const signedIn = oneTap(service, { sub: 'nia', email })
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(async () => (await observer.query(waiting)).rows.length > 0, 'the sign-in waits for the row lock')
      await stranger.query('commit')
      await Promise.all([stranger.end(), observer.end()])
      const answer = await signedIn
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.user.id, 'nia')
      assert.deepEqual((await typesOf(email)).toSorted(), ['account_claimed', 'google_connected', 'signed_in'])
      assert.equal((await service.smtp.mailTo(email)).message.subject, 'Your sign-in with Google changed')
    },
  )

  test('links, signups and Google sign-ins of one address create one claimed account with one identity and no active key', async () => {
    for (const round of [1, 2, 3]) {
      const email = `oli${round}@gmail.com`
      const links = [await mailedToken(service, email)]
      const answers = await runInLockstep(service, 20, (n): Promise<Answer> => {
        // Another order in each round.
        const turn = (n * 7 + round * 5) % 20
        if (turn < 7) return oneTap(service, { sub: `oli${round}`, email })
        if (turn === 7) return verify(service, links[0] ?? '')
        if (turn < 14) return oneTap(service, { sub: `oliver${round}`, email })
        return service.call('POST /auth/api/signup', { body: { email } })
      })
      assert.ok(answers.every(({ status }) => status < 500))
      assert.equal(await accountsOf(email), 1)
      assert.equal((await subjectsOf(service, email)).length, 1)
      const user = await userOf(service.db, email)
      assert.notEqual(user.claimed_at_ms, null)
      const people = answers.filter(({ status }) => status === 200)
      assert.deepEqual(
        new Set(
          await statesOf(
            service,
            people.map(({ body }) => body.token),
          ),
        ),
        new Set([email]),
      )
      const programs = answers.filter(({ status }) => status === 201)
      assert.ok(programs.length <= 1)
      const states = await statesOf(
        service,
        programs.map(({ body }) => body.token),
      )
      assert.deepEqual(
        states,
        programs.map(() => 'UNAUTHORIZED'),
      )
      const keys = await listKeys(service, people[0]?.body.token)
      assert.deepEqual(
        keys.map(({ status }) => status),
        programs.map(() => 'AWAITS_OWNER'),
      )
    }
  })

  test('sign-ins of an identity that the owner’s claim detaches end with it', async () => {
    const email = 'pia@corp.example'
    await oneTap(service, { sub: 'thief pia', email })
    const link = await mailedToken(service, email)
    const answers = await runInLockstep(service, 20, (n) =>
      n === 9 ? verify(service, link) : oneTap(service, { sub: 'thief pia', email }),
    )
    const tokens = answers.flatMap(({ body }, n) => (n !== 9 && body.token ? [body.token] : []))
    assert.deepEqual(new Set(await statesOf(service, tokens)), new Set(tokens.length === 0 ? [] : ['UNAUTHORIZED']))
    assert.deepEqual(await statesOf(service, [answers[9]?.body.token]), [email])
    assert.deepEqual(await subjectsOf(service, email), [])
  })
})
