/** Hundreds of writes of one user at once are that user's own trouble: everybody else is served meanwhile. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../../../support/files.ts'
import { readyOf } from '../../../support/gateways/fleet.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { connectBeside, serveIn } from '../../../support/process/served.ts'
import type { Served } from '../../../support/process/served.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const WRITES = 500
/** With what the operating system adds to the two seconds of the design. */
const TOLD_WITHIN_MS = 10_000

describe('while one user sends 500 writes at once', () => {
  const folder = temporaryFolder()
  let served: Served
  before(async () => {
    served = await serveIn(folder.path, { DATABASE_POOL_SIZE: '4' })
  })
  after(async () => {
    await served?.stop()
    folder.remove()
  })

  const signUp = async (email: string): Promise<string> =>
    (await served.call('POST /auth/api/signup', { body: { email } })).body.token
  const rename = (token: string, name: string) => served.call('PATCH /users/me', { token, body: { name } })

  /** Serves another user until `work` is over: their reads, writes and `readyz`, and gives the statuses. */
  async function servedMeanwhile(token: string, work: Promise<unknown>): Promise<Record<string, number[]>> {
    const statuses = { reads: [] as number[], writes: [] as number[], ready: [] as number[] }
    const over = new AbortController()
    void work.finally(() => over.abort())
    while (!over.signal.aborted) {
      statuses.reads.push((await served.call('GET /users/me', { token })).status)
      statuses.ready.push(await readyOf(served.origin))
      statuses.writes.push((await rename(token, 'Bob')).status)
    }
    return statuses
  }
  function assertServed(statuses: Record<string, number[]>): void {
    for (const [what, seen] of Object.entries(statuses)) {
      assert.ok(seen.length > 0, what)
      assert.deepEqual([...new Set(seen)], [200], what)
    }
  }

  test('the reads and writes of others and readyz stay 200, and each write is done or refused in time [F12]', async () => {
    const [ana, bob] = [await signUp('ana@example.com'), await signUp('bob@example.com')]
    const writes = Array.from({ length: WRITES }, (_, n) => rename(ana, `Ana ${n}`))
    const statuses = await servedMeanwhile(bob, Promise.all(writes))
    assertServed(statuses)
    const answers = await Promise.all(writes)
    const done = answers.filter(({ status }) => status === 200)
    assert.ok(done.length > 0)
    for (const { status, headers, body } of answers) {
      if (status === 200) continue
      assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '1'])
    }
    const { name } = (await served.call('GET /users/me', { token: ana })).body.user
    assert.ok(
      done.some(({ body }) => body.user.name === name),
      'the last of those that were answered',
    )
  })

  test(
    'also while the row is locked by somebody else: then none is written, and all are told so [F12]',
    {
      skip: clusterUrl === undefined && 'the embedded database has no locks of rows',
    },
    async () => {
      const [eva, dan] = [await signUp('eva@example.com'), await signUp('dan@example.com')]
      const db = await connectBeside(folder.path)
      const tookMs = stopwatch(served.process)
      const statuses = await db.transaction(async (trx) => {
        await trx.query.selectFrom('users').select('id').where('email', '=', 'eva@example.com').forUpdate().execute()
        const writes = Promise.all(Array.from({ length: WRITES }, (_, n) => rename(eva, `Eva ${n}`)))
        const seen = await servedMeanwhile(dan, writes)
        for (const { status } of await writes) assert.equal(status, 503)
        return seen
      })
      await db.close()
      assertServed(statuses)
      assert.ok(tookMs() < TOLD_WITHIN_MS)
      assert.equal((await served.call('GET /users/me', { token: eva })).body.user.name, null)
      assert.equal((await rename(eva, 'Eva')).status, 200, 'and afterwards all is well')
    },
  )
})
