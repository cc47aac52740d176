import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../support/http/call.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databaseEnv, queryDatabase, serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const CALLERS = 24
const CALLS_BEFORE = 150
const CALLS_AFTERWARDS = 150

describe('revocation with every process of one database', () => {
  const folder = temporaryFolder()
  let processes: readonly Served[] = []
  const one = () => processes[0]!
  before(async () => {
    const first = await serveIn(folder.path)
    // One public address, whichever process answers. An embedded database has one process.
    processes = skipsSeveral ? [first] : [first, await serveIn(folder.path, { PUBLIC_URL: first.origin })]
  })
  after(async () => {
    await Promise.all(processes.map((served) => served.stop()))
    folder.remove()
  })

  const signUp = async (email: string) => (await one().call('POST /auth/api/signup', { body: { email } })).body

  /**
   * Calls both processes without a pause, revokes at one of them meanwhile, and groups the calls by process and time.
   */
  async function callWhileRevoking(
    call: (served: Served) => Promise<Answer>,
    revoke: () => Promise<Pick<Answer, 'status'>>,
  ) {
    const calls: { process: number; beganAt: number; status: number }[] = []
    let revokedAt = Number.POSITIVE_INFINITY
    let begunAfterwards = 0
    const callers = Array.from({ length: CALLERS }, async (_, n) => {
      const process = n % processes.length
      while (begunAfterwards < CALLS_AFTERWARDS) {
        const beganAt = performance.now()
        if (beganAt > revokedAt) begunAfterwards += 1
        const { status } = await call(processes[process]!)
        calls.push({ process, beganAt, status })
      }
    })
    while (calls.length < CALLS_BEFORE) await new Promise(setImmediate)
    const { status } = await revoke()
    revokedAt = performance.now()
    await Promise.all(callers)
    assert.equal(status, 200)
    for (const process of processes.keys()) {
      const afterwards = calls.filter((made) => made.process === process && made.beganAt > revokedAt)
      assert.ok(afterwards.length > CALLS_AFTERWARDS / 10, `${afterwards.length} calls to process ${process}`)
      assert.deepEqual(new Set(afterwards.map((made) => made.status)), new Set([401]), `process ${process}`)
    }
    const earlier = calls.filter(({ beganAt }) => beganAt <= revokedAt).map((made) => made.status)
    assert.deepEqual(new Set(earlier.filter((s) => s !== 200 && s !== 401)), new Set(), 'no other outcome')
    const accepted = earlier.filter((s) => s === 200).length
    assert.ok(accepted > CALLS_BEFORE / 2, `${accepted} accepted before`)
  }

  test('none exchanges a revoked key or accepts its tokens, from the answer on [F16, K5]', async () => {
    const { token, apiKey, keySecret } = await signUp('ana@example.com')
    const body = { keyId: apiKey.keyId, keySecret }
    const made: string[] = []
    await callWhileRevoking(
      async (served) => {
        const answer = await served.call('POST /auth/api/token', { body })
        if (answer.status === 200) made.push(answer.body.token)
        return answer
      },
      () => one().call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token }),
    )
    // The last exchanges overlapped the revocation; their tokens must be dead too.
    for (const served of processes) {
      const states = await Promise.all(made.slice(-20).map((last) => served.call('GET /users/me', { token: last })))
      assert.deepEqual(new Set(states.map(({ status }) => status)), new Set([401]))
    }
  })

  test('none accepts a token of a user signed out everywhere, from the answer on [F16]', async () => {
    const { token } = await signUp('bob@example.com')
    await callWhileRevoking(
      (served) => served.call('GET /users/me', { token }),
      () => one().call('POST /auth/tokens/revoke', { token }),
    )
  })

  test('none accepts a token or exchanges a key of a user whom the command line has disabled', async () => {
    const { token, apiKey, keySecret } = await signUp('dan@example.com')
    const body = { keyId: apiKey.keyId, keySecret }
    let made = 0
    await callWhileRevoking(
      (served) =>
        made++ % 2 === 0 ? served.call('GET /users/me', { token }) : served.call('POST /auth/api/token', { body }),
      async () => {
        const args = ['users', 'disable', 'dan@example.com', '--yes']
        const { code } = await runCli(args, { cwd: folder.path, env: await databaseEnv(folder.path) }).exited
        return { status: code === 0 ? 200 : 500 }
      },
    )
  })

  test('concurrent revocations of one key all return the same time [K5]', async () => {
    const { token, apiKey } = await signUp('cia@example.com')
    const body = { name: 'Other' }
    const other = (await one().call('POST /auth/api-keys', { token, body })).body.apiKey
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        processes[n % processes.length]!.call(`POST /auth/api-keys/${other.id}/revoke`, { token }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const times = new Set(answers.map((answer) => Date.parse(answer.body.apiKey.revokedAt)))
    assert.equal(times.size, 1, [...times].join())
    const sql = 'select id, revoked_at_ms from api_keys where id in (?, ?) order by id'
    const rows = await queryDatabase(folder.path, sql, other.id, apiKey.id)
    const stored = new Map(rows.map((row) => [row['id'], row['revoked_at_ms']]))
    assert.deepEqual([stored.get(other.id), stored.get(apiKey.id)], [[...times][0], null])
  })
})
