/** Concurrent payment links of a key and its descendants: exactly the limit of the day is created. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { temporaryFolder } from '../support/files.ts'
import { queryDatabase, serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const CALLS = 200
const LIMIT = 70

describe('the limit of a day, on every process of one database', () => {
  const folder = temporaryFolder()
  const processes: Served[] = []
  before(async () => {
    processes.push(await serveIn(folder.path))
    // An embedded database has one process.
    if (!skipsSeveral) processes.push(await serveIn(folder.path, { PUBLIC_URL: processes[0]!.origin }))
  })
  after(async () => {
    await Promise.all(processes.map((served) => served.stop()))
    folder.remove()
  })

  const at = (n: number) => processes[n % processes.length]!

  /** A call that decides: on a busy machine some wait too long for the account's lock and get 503. */
  async function call(n: number, route: string, options: object) {
    for (;;) {
      const answer = await at(n).call(route, options)
      if (answer.status !== 503) return answer
    }
  }

  async function createKey(token: string, body: object) {
    const made = await call(0, 'POST /auth/api-keys', { token, body })
    const { keySecret, apiKey } = made.body
    const exchanged = await call(1, 'POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
    return { id: apiKey.id as string, token: exchanged.body.token as string }
  }

  test(`${CALLS} concurrent links by a key and two descendants leave exactly the limit, and replays count once`, async () => {
    const body = { email: 'race@example.com' }
    const { token: first } = (await call(0, 'POST /auth/api/signup', { body })).body
    const key = await createKey(first, { restrictions: { dailyAmount: { EUR: LIMIT } } })
    const child = await createKey(key.token, {})
    const grandchild = await createKey(child.token, {})
    const tokens = [key.token, child.token, grandchild.token]
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, n) => {
        // Every fourth call repeats the one before it.
        const headers = { 'x-currency': 'EUR', 'idempotency-key': `${n % 4 === 3 ? n - 1 : n}` }
        return call(n, 'POST /payment-links', { token: tokens[n % 3], headers, body: { amount: 1, title: 'Tea' } })
      }),
    )
    const created = answers.filter(({ status }) => status === 201)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 'AMOUNT_NOT_ALLOWED')
    const links = new Set(created.map((answer) => answer.body.paymentLink.id)).size
    const days = await queryDatabase(folder.path, 'select day, sum(amount) as made from key_amounts group by day')
    const made = days.map((day) => Number(day['made']))
    assert.equal(
      made.reduce((sum, each) => sum + each, 0),
      links,
    )
    // Two, if midnight passed meanwhile.
    assert.ok(made.length === 1 ? links === LIMIT : made.every((each) => each <= LIMIT), `${links} ${String(made)}`)
  })

  test('a restriction of a key holds on the next call at every process, for tokens issued before', async () => {
    const { token: owner } = (await call(0, 'POST /auth/api/signup', { body: { email: 'next@example.com' } })).body
    const key = await createKey(owner, {})
    const child = await createKey(key.token, {})
    const body = { restrictions: { scopes: ['payment_links:read'] } }
    for (const n of processes.keys()) {
      assert.equal((await call(n, 'GET /auth/api-keys', { token: child.token })).status, 200)
    }
    assert.equal((await call(0, `PATCH /auth/api-keys/${key.id}`, { token: key.token, body })).status, 200)
    for (const n of processes.keys()) {
      for (const token of [key.token, child.token])
        assertError(await call(n, 'GET /auth/api-keys', { token }), 'INSUFFICIENT_SCOPE')
    }
  })
})
