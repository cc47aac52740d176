/**
 * Restarts and rotations without a failed call. `npm run test:system` runs this file alone: beside two other groups the
 * database sometimes takes longer than the second after which a call gets 503.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { callAt } from '../support/http/call.ts'
import { startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { read } from '../support/accounts/tokens.ts'
import { startTraffic } from '../support/process/traffic.ts'
import { until } from '../support/until.ts'

const OLDER = 'the-older-test-secret-of-more-than-thirty-two-bytes'
const NEWER = 'the-newer-test-secret-of-more-than-thirty-two-bytes'
const ENV = { JWT_SECRET: OLDER, DATABASE_POOL_SIZE: '12' }
/** No more than connections of a process: waiting for one is limited in time, and a slow machine exceeds that. */
const CALLERS = 8
/** Restarts of each process. */
const ROUNDS = 2

describe('two processes behind nginx', () => {
  let postgres: PostgresServer
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres()
    fleet = await startFleet(postgres.url, { size: 2, isBalanced: true, env: ENV })
  })
  after(async () => {
    await fleet?.stop()
    await postgres?.remove()
  })

  test('are restarted one after the other under load: no call fails, and every acknowledged write is there [F3]', async (t) => {
    const traffic = await startTraffic([fleet.baseUrl], 'rolling', CALLERS)
    const untilMore = (count: number) => {
      const since = performance.now()
      return until(() => traffic.count('ok', since) > count || traffic.violations.length > 0, 'traffic continues')
    }
    await untilMore(100)
    for (let restart = 0; restart < 2 * ROUNDS; restart += 1) {
      await fleet.restart(restart % 2)
      await untilMore(200)
    }
    await traffic.stop()
    const failed = traffic.operations.filter(({ outcome }) => outcome !== 'ok')
    t.diagnostic(`${traffic.operations.length} calls over ${2 * ROUNDS} restarts, ${failed.length} failed`)
    assert.deepEqual(traffic.violations, [])
    const unreached = fleet.nginx?.logs().match(/.*(prematurely|reset by peer).*/g) ?? []
    assert.deepEqual(failed.slice(0, 3), [], unreached.slice(0, 10).join('\n'))
  })

  test('get a new signing secret by the three documented steps under load: no valid token is refused, and no retired one accepted afterwards [F41]', async (t) => {
    const { apiKey, keySecret, token } = (
      await fleet.call('POST /auth/api/signup', { body: { email: 'rotated@example.com' } })
    ).body
    const body = { keyId: apiKey.keyId, keySecret }
    const tokens: string[] = [token]
    const kidOf = (text: string) => String(read(text).header['kid'])
    const refused: string[] = []
    let accepted = 0
    const over = new AbortController()
    const callers = Array.from({ length: 12 }, async (_, caller) => {
      for (let n = caller; !over.signal.aborted; n += 1) {
        if (n % 5 === 0) {
          const made = await fleet.call('POST /auth/api/token', { body })
          if (made.status === 200) tokens.push(made.body.token)
          else refused.push(`exchange: ${made.status} ${made.text}`)
          continue
        }
        const used = tokens[(n * 7) % tokens.length] ?? ''
        const { status, text } = await fleet.call('GET /users/me', { token: used })
        if (status === 200) accepted += 1
        else refused.push(`${kidOf(used)}: ${status} ${text}`)
      }
    })
    const restartAll = async (signing: string, verifying: string) => {
      for (const index of [0, 1]) {
        await fleet.restart(index, { JWT_SECRET: signing, JWT_SECRET_VERIFY: verifying })
        const soFar = accepted
        await until(() => accepted > soFar + 100 || refused.length > 0, 'tokens are used')
      }
    }
    await restartAll(OLDER, NEWER)
    await restartAll(NEWER, OLDER)
    assert.equal(new Set(tokens.map(kidOf)).size, 2, 'tokens of both secrets were in use')
    // Seven days later every token of the old secret has expired.
    const kid = kidOf((await fleet.call('POST /auth/api/token', { body })).body.token)
    const retired = tokens.filter((text) => kidOf(text) !== kid)
    tokens.splice(0, tokens.length, ...tokens.filter((text) => kidOf(text) === kid))
    await restartAll(NEWER, '')
    over.abort()
    await Promise.all(callers)
    t.diagnostic(`${accepted} tokens accepted, ${refused.length} refused, ${retired.length} retired`)
    assert.deepEqual(refused.slice(0, 3), [])
    assert.ok(retired.length > 20)
    for (const { baseUrl } of fleet.processes) {
      for (const text of retired) assert.equal((await callAt(baseUrl, 'GET /users/me', { token: text })).status, 401)
    }
  })
})
