import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../support/http/call.ts'
import { connectCaller } from '../support/http/callers.ts'
import type { Caller } from '../support/http/callers.ts'
import { startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { linkIn, MAIL_WITHIN_MS } from '../support/mail/smtp.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'

/** Calls in flight: tokens revoked at the same time, and callers for each. */
type Crowd = Readonly<{ tokens: number; callersOfEach: number }>
const MANY: Crowd = { tokens: 25, callersOfEach: 40 }
/** Few enough that each call takes milliseconds, so that a short-lived cache would be detected. */
const QUICK: Crowd = { tokens: 2, callersOfEach: 9 }
/** Calls with one token that begin after the answer to its revocation. */
const CALLS_AFTERWARDS = 60

/** A token and the call that kills it. */
type Victim = Readonly<{ token: string; revoke: () => Promise<Answer> }>

const signUp = async (fleet: Fleet, email: string) => {
  const answer = await fleet.call('POST /auth/api/signup', { body: { email } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function newLink(fleet: Fleet, email: string): Promise<string> {
  const answer = await fleet.call('POST /auth/request', { body: { email } })
  assert.equal(answer.status, 200, answer.text)
  return linkIn(await fleet.smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')).searchParams.get('token') ?? ''
}

/** Every way in which tokens die. */
const ways: Readonly<Record<string, (fleet: Fleet, email: string) => Promise<Victim>>> = {
  'all tokens of the user': async (fleet, email) => {
    const { token } = await signUp(fleet, email)
    return { token, revoke: () => fleet.call('POST /auth/tokens/revoke', { token }) }
  },
  'the key': async (fleet, email) => {
    const { token, apiKey } = await signUp(fleet, email)
    return { token, revoke: () => fleet.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token }) }
  },
  'the claim by its owner': async (fleet, email) => {
    const { token } = await signUp(fleet, email)
    const link = await newLink(fleet, email)
    return { token, revoke: () => fleet.call(`GET /auth/verify?token=${link}`) }
  },
  'the account, deleted': async (fleet, email) => {
    const link = await newLink(fleet, email)
    const { token } = (await fleet.call(`GET /auth/verify?token=${link}`)).body
    return { token, revoke: () => fleet.call('DELETE /users/me', { token }) }
  },
}

// A busy machine may refuse a revocation with 503, with an unknown outcome: the retry is answered, or finds the token
// dead.
async function untilAnswered(revoke: () => Promise<Answer>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { status, text } = await revoke()
    if (status === 200 || (tries > 1 && status === 401)) return
    assert.ok(status === 503 && tries < 20, text)
  }
}

/** Calls with a token without a pause while it is revoked. */
async function revokeUnderCalls({ token, revoke }: Victim, callers: readonly Caller[]) {
  let revokedAt = Number.POSITIVE_INFINITY
  let begunAfterwards = 0
  let accepted = 0
  const late: number[] = []
  let refused = 0
  let made = 0
  const calling = Promise.all(
    callers.map(async ({ callWith }) => {
      while (begunAfterwards < CALLS_AFTERWARDS) {
        if (performance.now() > revokedAt) begunAfterwards += 1
        const { beganAt, status } = await callWith(token)
        made += 1
        if (status === 200) accepted += 1
        if (status === 200 && beganAt > revokedAt) late.push(beganAt - revokedAt)
        if (status === 503) refused += 1
        else assert.ok(status === 200 || status === 401, `${status}`)
      }
    }),
  )
  const answered = (async () => {
    while (accepted < callers.length) await new Promise((resolve) => setTimeout(resolve, 1))
    return untilAnswered(revoke)
  })()
  await Promise.race([answered, calling])
  revokedAt = performance.now()
  await calling
  return { made, late, refused }
}

/** The totals over `ofEach` revocations of each kind. */
async function measure(fleet: Fleet, ofEach: number, crowd: Crowd) {
  const origin = fleet.nginx?.origin ?? assert.fail()
  const victims: Victim[] = []
  for (const [index, prepare] of Object.values(ways).entries()) {
    for (let n = 0; n < ofEach; n += 10) {
      const emails = Array.from(
        { length: Math.min(10, ofEach - n) },
        (_, m) => `n${n + m}@${crowd.tokens}way${index}.example`,
      )
      victims.push(...(await Promise.all(emails.map((email) => prepare(fleet, email)))))
    }
  }
  const result = { made: 0, late: [] as number[], refused: 0, revocations: victims.length }
  const lanes = Array.from({ length: crowd.tokens }, async (_, lane) => {
    const callers = await Promise.all(Array.from({ length: crowd.callersOfEach }, () => connectCaller(origin)))
    try {
      for (const victim of victims.filter((__, index) => index % crowd.tokens === lane)) {
        const { made, late, refused } = await revokeUnderCalls(victim, callers)
        result.made += made
        result.late.push(...late)
        result.refused += refused
      }
    } finally {
      for (const caller of callers) caller.end()
    }
  })
  await Promise.all(lanes)
  return result
}

describe('of calls through nginx to three processes', () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres?.remove())

  test('none that begins after the answer to a revocation is accepted, for every kind of revocation [F16]', async (t) => {
    const fleet = await startFleet(postgres.url, { isBalanced: true, env: { DATABASE_POOL_SIZE: '10' } })
    t.after(() => fleet.stop())
    for (const [crowd, ofEach] of [
      [MANY, 50],
      [QUICK, 15],
    ] as const) {
      const { made, late, refused, revocations } = await measure(fleet, ofEach, crowd)
      t.diagnostic(
        `${made} calls, ${revocations} revocations, ${late.length} late acceptances, ${refused} refused for now`,
      )
      assert.ok(made - refused > revocations * CALLS_AFTERWARDS, `${made} calls`)
      assert.deepEqual(late, [])
    }
  })

  test('late acceptances are found if the processes cache for 50 milliseconds (control)', async (t) => {
    const cache = new URL('../support/faults/cached-token-state.ts', import.meta.url).href
    const env = { NODE_OPTIONS: `--import=${cache}` }
    await postgres.query('create database cached')
    // The fault replaces a module of the sources.
    const command = [process.execPath, join(import.meta.dirname, '../../cli/paylink-auth.ts')]
    const url = postgres.url.replace('/paylink', '/cached')
    const fleet = await startFleet(url, { isBalanced: true, env, command })
    t.after(() => fleet.stop())
    const { late, made, revocations } = await measure(fleet, 5, QUICK)
    t.diagnostic(`${made} calls, ${revocations} revocations, ${late.length} late acceptances`)
    assert.ok(late.length > 0, 'the cache is detected')
  })
})
