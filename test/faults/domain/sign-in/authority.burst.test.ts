import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../../../support/files.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { startStatementCounter } from '../../../support/postgres/statement-counter.ts'
import type { Answer } from '../../../support/http/call.ts'
import { databaseEnv, serveIn, skipsSeveral } from '../../../support/process/served.ts'
import type { Served } from '../../../support/process/served.ts'

const isEmbedded = clusterUrl === undefined
const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
/**
 * Writes that share a commit on PostgreSQL, at least. A commit is shared by those of 50 ms: dozens, and one to three on a
 * busy machine. A write that waits for two seconds is refused.
 */
const WRITES_PER_COMMIT = 1.2
const ATTEMPTS = 9
/** Rounds beside reads and beside writes in turn, so that other work on the machine slows both. */
const ROUNDS = 4
/** Calls that are under way beside those that are timed. */
const BURST = 60
/** Calls of the other user that are timed in a round. */
const CALLS = 10
/** A write takes the processor several times as long as a read. */
const SLOWER_AT_MOST = 4

describe('a burst of writes by one user', () => {
  const folder = temporaryFolder()
  let served: Served
  before(async () => {
    served = await serveIn(folder.path, { JWT_SECRET })
  })
  after(async () => {
    await served?.stop()
    folder.remove()
  })

  const signUp = async (email: string): Promise<string> =>
    (await served.call('POST /auth/api/signup', { body: { email } })).body.token
  const createLink = (token: string, amount: number) =>
    served.call('POST /payment-links', { token, body: { title: 'Burst', amount } })

  const burst = (count: number, call: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, n) => call(n + 1)))

  const countByStatus = (answers: readonly Answer[]): Record<number, number> =>
    Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
    )

  async function assertDoneCompletely(count: number, call: (index: number) => Promise<Answer>) {
    assert.deepEqual(countByStatus(await burst(count, call)), { 201: count })
  }

  async function assertCommittedTogether(
    statements: readonly string[],
    count: number,
    call: (index: number) => Promise<Answer>,
  ) {
    const seen: number[] = []
    while (seen.length < ATTEMPTS && seen.every((perCommit) => perCommit < WRITES_PER_COMMIT)) {
      const first = statements.length
      const { 201: done = 0, 503: refused = 0 } = countByStatus(await burst(count, call))
      assert.equal(done + refused, count)
      seen.push(done / statements.slice(first).filter((statement) => statement === 'commit').length)
    }
    assert.ok((seen.at(-1) ?? 0) >= WRITES_PER_COMMIT, `writes per commit: ${seen.join(', ')}`)
  }

  /** Latencies of another user's writes while Ana sends bursts. */
  async function latenciesBeside(bob: string, call: (index: number) => Promise<Answer>, expected: number) {
    const over = new AbortController()
    const bursts = (async () => {
      while (!over.signal.aborted) assert.ok((countByStatus(await burst(BURST, call))[expected] ?? 0) > 0)
    })()
    const times: number[] = []
    for (let n = 1; n <= CALLS; n += 1) {
      const beganMs = performance.now()
      assert.equal((await createLink(bob, n)).status, 201)
      times.push(performance.now() - beganMs)
    }
    over.abort()
    await bursts
    return times
  }

  const slowestTenth = (times: readonly number[]) => times.toSorted((one, other) => other - one)[times.length / 10] ?? 0

  for (const count of [50, 200]) {
    test(`of ${count} at once is done completely`, { skip: !isEmbedded && 'a server refuses the slow' }, async () => {
      const token = await signUp(`burst${count}@example.com`)
      await assertDoneCompletely(count, (n) => createLink(token, n))
    })
  }

  test('of 200 at once on two processes is committed together, by each', { skip: skipsSeveral }, async (t) => {
    const counter = await startStatementCounter((await databaseEnv(folder.path))['DATABASE_URL'] ?? '')
    t.after(() => counter.close())
    const env = { JWT_SECRET, PUBLIC_URL: served.origin, DATABASE_URL: counter.url }
    const processes = [await serveIn(folder.path, env), await serveIn(folder.path, env)]
    t.after(() => Promise.all(processes.map((process) => process.stop())))
    const token = await signUp('two@example.com')
    const create = (n: number) =>
      (processes[n % 2] ?? served).call('POST /payment-links', { token, body: { title: 'Burst', amount: n } })
    await assertCommittedTogether(counter.statements, 200, create)
  })

  test('delays other users no more than as many reads, which only keep the processor busy', async () => {
    const [ana, bob] = [await signUp('ana@example.com'), await signUp('bob@example.com')]
    const [besideReads, besideWrites]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      besideReads.push(...(await latenciesBeside(bob, () => served.call('GET /users/me', { token: ana }), 200)))
      besideWrites.push(...(await latenciesBeside(bob, (n) => createLink(ana, n), 201)))
    }
    const [readsMs, writesMs] = [slowestTenth(besideReads), slowestTenth(besideWrites)]
    assert.ok(writesMs < SLOWER_AT_MOST * readsMs, `${writesMs} ms beside writes, ${readsMs} ms beside reads`)
  })
})
