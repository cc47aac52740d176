import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../../../support/files.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { startCluster } from '../../../support/postgres/cluster.ts'
import type { Answer } from '../../../support/http/call.ts'
import { serveIn } from '../../../support/process/served.ts'
import type { Served } from '../../../support/process/served.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
/**
 * On PostgreSQL a write waits two seconds at most, for which a busy machine is too slow now and then. Writes that wait
 * for each other's commits never finish in that time.
 */
const ATTEMPTS = clusterUrl === undefined ? 1 : 9
const COMPLETE = clusterUrl === undefined ? 1 : 3
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

  async function assertDoneCompletely(count: number, call: (index: number) => Promise<Answer>, expected: number) {
    const seen: Record<number, number>[] = []
    const complete = () => seen.filter((answers) => answers[expected] === count).length
    while (seen.length < ATTEMPTS && complete() < COMPLETE) seen.push(countByStatus(await burst(count, call)))
    assert.equal(complete(), COMPLETE, JSON.stringify(seen))
    assert.ok(
      seen.every(({ [expected]: done = 0, 503: refused = 0 }) => done + refused === count),
      JSON.stringify(seen),
    )
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
    test(`of ${count} at once is done completely`, async () => {
      const token = await signUp(`burst${count}@example.com`)
      await assertDoneCompletely(count, (n) => createLink(token, n), 201)
    })
  }

  test(
    'of 100 at once is done completely by a server that takes 30 ms for a commit',
    { skip: clusterUrl === undefined && 'a server’s commit' },
    async (t) => {
      const cluster = await startCluster({
        fsync: 'on',
        synchronous_commit: 'on',
        commit_delay: '30000',
        commit_siblings: '0',
      })
      t.after(() => cluster.stop())
      const slow = await serveIn(folder.path, { DATABASE_URL: cluster.url })
      t.after(() => slow.stop())
      const { token } = (await slow.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body
      const rename = (n: number) => slow.call('PATCH /users/me', { token, body: { name: `Ana ${n}` } })
      await assertDoneCompletely(100, rename, 200)
    },
  )

  test(
    'of 100 at once on two processes is done completely',
    { skip: clusterUrl === undefined && 'one process has the file' },
    async (t) => {
      const second = await serveIn(folder.path, { JWT_SECRET, PUBLIC_URL: served.origin })
      t.after(() => second.stop())
      const token = await signUp('two@example.com')
      const create = (n: number) =>
        (n % 2 === 0 ? served : second).call('POST /payment-links', { token, body: { title: 'Burst', amount: n } })
      await assertDoneCompletely(100, create, 201)
    },
  )

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
