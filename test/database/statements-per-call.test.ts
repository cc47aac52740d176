/** Database round trips per call; protected calls of one turn share theirs. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { clusterUrl, newDatabase } from '../support/database/database.ts'
import type { TestDatabase } from '../support/database/database.ts'
import { startService } from '../support/service.ts'
import type { Answer, Service } from '../support/service.ts'
import { linkIn } from '../support/mail/smtp.ts'
import { until } from '../support/until.ts'
import { startStatementCounter } from '../support/postgres/statement-counter.ts'
import type { StatementCounter } from '../support/postgres/statement-counter.ts'

describe('on PostgreSQL', { skip: clusterUrl === undefined && 'the embedded database has no round trips' }, () => {
  let database: TestDatabase
  let counter: StatementCounter
  let service: Service
  let signedUp: any
  before(async () => {
    database = await newDatabase('')
    counter = await startStatementCounter(database.url)
    // Limits are on, but none is reached.
    const limits = {
      RATE_LIMITS: 'on',
      RATE_LIMIT_REQUEST_REPEAT: '1000/1s',
      RATE_LIMIT_SIGNUP_HOUR: '1000/1h',
      RATE_LIMIT_SIGNUP_DAY: '1000/1d',
    }
    service = await startService({ ...limits, DATABASE_URL: counter.url })
    signedUp = await service.signUp('ana@example.com')
  })
  after(async () => {
    await service?.close()
    await counter?.close()
    await database?.remove()
  })

  // The queue's own work: it looks for mails, makes and sends them.
  const isOfQueue = (statement: string) => /where "due_at_ms" <=|^with "free_mails"/.test(statement)
  const untilQueueIsIdle = () =>
    until(
      async () =>
        !service.isSending() && (await service.db.query.selectFrom('queued_mails').select('id').execute()).length === 0,
    )
  async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
    await untilQueueIsIdle()
    const sent = counter.statements.length
    await call()
    return counter.statements.slice(sent).filter((statement) => !isOfQueue(statement))
  }
  const calls = (count: number, status: number, make: () => Promise<Answer>) => async () => {
    const answers = await Promise.all(Array.from({ length: count }, make))
    for (const answer of answers) assert.equal(answer.status, status, answer.text)
  }
  // Refused right after the guard, so that only the guard's cost counts.
  const guarded = () => service.call('GET /users/me', { token: signedUp.token, headers: { 'x-currency': 'USD' } })
  const me = () => service.call('GET /users/me', { token: signedUp.token })

  test('a protected call costs one statement, including a gateway’s check, and GET /users/me, which shows what the guard read', async () => {
    for (const call of [
      calls(1, 400, guarded),
      calls(1, 200, () => service.call('GET /auth/check', { token: signedUp.token })),
    ]) {
      const [guard, ...more] = await statementsOf(call)
      assert.match(guard ?? '', /from "users" .*"api_keys"/)
      assert.deepEqual(more, [])
    }
    assert.equal((await statementsOf(calls(1, 200, me))).length, 1)
    // For an account with nothing left to do, the keys have been read too.
    const token = await service.signIn('bob@example.com')
    await calls(1, 200, () => service.call('PATCH /users/me', { token, body: { name: 'Bob' } }))()
    const whole = await statementsOf(calls(1, 200, () => service.call('GET /users/me', { token })))
    assert.equal(whole.length, 1, whole.join('\n'))
  })

  test('200 concurrent protected calls cost far fewer than 200 statements', async (t) => {
    // With open connections; otherwise each starts when its connection is ready.
    await calls(200, 400, guarded)()
    const checked = await statementsOf(calls(200, 400, guarded))
    const shown = await statementsOf(calls(200, 200, me))
    t.diagnostic(`200 calls: ${checked.length} statements; 200 × GET /users/me: ${shown.length}`)
    assert.ok(checked.length <= 100, `${checked.length}`)
    assert.ok(shown.length <= 100, `${shown.length}`)
  })

  test('the other calls cost what docs/operations.md states', async (t) => {
    const { apiKey, keySecret } = signedUp
    const email = 'cia@example.com'
    const costs: Record<string, number> = {}
    const measure = async (name: string, route: string, body?: unknown) => {
      const statements = await statementsOf(async () => {
        const answer = await service.call(route, body === undefined ? {} : { body })
        assert.ok(answer.status < 300, answer.text)
      })
      // Its mail may be made before the answer arrives here.
      const queued = statements.findIndex((statement) => statement.startsWith('insert into "queued_mails"'))
      const own = name === 'link request' ? statements.slice(0, queued + 1) : statements
      costs[name] = own.length
      t.diagnostic([name, ...own.map((statement) => statement.trim().slice(0, 100))].join('\n'))
    }
    await measure('exchange', 'POST /auth/api/token', { keyId: apiKey.keyId, keySecret })
    await measure('signup', 'POST /auth/api/signup', { email })
    await service.smtp.mailTo(email)
    for (const name of ['claim', 'sign-in']) {
      await measure('link request', 'POST /auth/request', { email })
      const link = linkIn(await service.smtp.mailTo(email))
      await measure(name, `GET /auth/verify${link.search}`)
    }
    assert.deepEqual(costs, { exchange: 2, signup: 9, 'link request': 2, claim: 17, 'sign-in': 12 })
  })
})
