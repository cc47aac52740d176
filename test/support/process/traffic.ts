/** Callers that continue through a fault, record every answer, and verify afterwards that it holds. */
import assert from 'node:assert/strict'
import { callAt } from '../http/call.ts'
import type { Answer, Call } from '../http/call.ts'

/** Acknowledged, refused for now (503), or without an answer. */
export type Outcome = 'ok' | 'away' | 'unknown'

export type Operation = Readonly<{
  what: 'read' | 'create' | 'revoke' | 'exchange' | 'use'
  beganAt: number
  endedAt: number
  outcome: Outcome
}>

export type Traffic = Readonly<{
  operations: readonly Operation[]
  /** What must never happen: a revoked key that works, a 500, a valid credential refused … */
  violations: readonly string[]
  /** Operations with this outcome that started after `since`. */
  count(outcome: Outcome, since?: number): number
  /** Stops the callers, then verifies every acknowledged write. */
  stop(): Promise<void>
}>

type Key = { id: string; keyId: string; keySecret: string; token?: string; isRevoked: boolean }

const MAX_KEYS = 6

/**
 * Starts callers, each with its own account, that use all processes in turn.
 * @param baseUrls of the processes, or of the balancer
 * @param name prefix of the accounts' addresses
 */
export async function startTraffic(baseUrls: readonly string[], name: string, callers = 6): Promise<Traffic> {
  const operations: Operation[] = []
  const violations: string[] = []
  const over = new AbortController()

  async function runCaller(index: number, token: string): Promise<() => Promise<void>> {
    const keys: Key[] = []
    let turn = index
    const send = (route: string, call: Call) => callAt(baseUrls[turn++ % baseUrls.length] ?? '', route, call)

    // The answer must be an expected status, or 503 with `Retry-After`.
    async function operate(what: Operation['what'], route: string, call: Call, expected: readonly number[]) {
      const beganAt = performance.now()
      const answer = await send(route, call).catch(() => undefined)
      const outcome = outcomeOf(answer, expected)
      if (outcome === undefined) violations.push(`${what}: ${answer?.status} ${answer?.text}`)
      operations.push({ what, beganAt, endedAt: performance.now(), outcome: outcome ?? 'ok' })
      return outcome === 'ok' ? answer : undefined
    }

    const exchange = (key: Key, expected: readonly number[]) => {
      const body = { keyId: key.keyId, keySecret: key.keySecret }
      return operate('exchange', 'POST /auth/api/token', { body }, expected)
    }
    async function create() {
      const made = await operate('create', 'POST /auth/api-keys', { token, body: {} }, [201])
      if (made === undefined) return
      const { apiKey, keySecret } = made.body
      const key: Key = { id: apiKey.id, keyId: apiKey.keyId, keySecret, isRevoked: false }
      keys.push(key)
      key.token = (await exchange(key, [200]))?.body.token
    }
    const live = () => keys.filter(({ isRevoked }) => !isRevoked)
    async function revoke(key: Key) {
      for (;;) {
        if (await operate('revoke', `POST /auth/api-keys/${key.id}/revoke`, { token }, [200])) break
        if (over.signal.aborted) {
          // Dropped: its state is unknown.
          keys.splice(keys.indexOf(key), 1)
          return
        }
      }
      key.isRevoked = true
      if (key.token !== undefined) await operate('use', 'GET /users/me', { token: key.token }, [401])
      await exchange(key, [401])
    }
    // Keys whose creation lost its answer are unknown to the caller, but count against the limit.
    async function tidy() {
      const listed = await operate('read', 'GET /auth/api-keys', { token }, [200])
      if (listed === undefined) return
      const active = listed.body.apiKeys.filter(({ status }: { status: string }) => status === 'ACTIVE')
      for (const { id, name: keyName } of active) {
        const isOurs = keyName !== 'API key' || keys.some((key) => key.id === id) || id === first
        if (!isOurs) await operate('revoke', `POST /auth/api-keys/${id}/revoke`, { token }, [200])
      }
    }
    let first = ''
    const listed = await callAt(baseUrls[0] ?? '', 'GET /auth/api-keys', { token })
    first = listed.body.apiKeys[0].id

    for (let round = 0; !over.signal.aborted; round += 1) {
      await operate('read', 'GET /users/me', { token }, [200])
      if (live().length < MAX_KEYS) await create()
      const [oldest, ...others] = live()
      if (oldest?.token !== undefined) await operate('use', 'GET /users/me', { token: oldest.token }, [200])
      if (oldest !== undefined && others.length > 2) await revoke(oldest)
      if (round % 10 === 9) await tidy()
    }

    return async () => {
      for (const baseUrl of baseUrls) await look(baseUrl)
    }
    // Every process must agree: acknowledged keys exist, revoked ones are dead.
    async function look(baseUrl: string) {
      const answer = await callAt(baseUrl, 'GET /auth/api-keys', { token })
      assert.equal(answer.status, 200, answer.text)
      const statuses = new Map<string, string>(answer.body.apiKeys.map((key: any) => [key.id, key.status]))
      for (const { id, isRevoked, token: ofKey, ...rest } of keys) {
        const status = statuses.get(id)
        if (status !== (isRevoked ? 'REVOKED' : 'ACTIVE'))
          violations.push(`key ${id}, revoked: ${isRevoked}, is ${status}`)
        const exchanged = await callAt(baseUrl, 'POST /auth/api/token', {
          body: { keyId: rest.keyId, keySecret: rest.keySecret },
        })
        if (exchanged.status !== (isRevoked ? 401 : 200)) violations.push(`key ${id} exchanged: ${exchanged.status}`)
        if (ofKey === undefined) continue
        const used = await callAt(baseUrl, 'GET /users/me', { token: ofKey })
        if (used.status !== (isRevoked ? 401 : 200)) violations.push(`token of key ${id}: ${used.status}`)
      }
    }
  }

  const tokens = await Promise.all(
    Array.from({ length: callers }, async (_, index) => {
      const body = { email: `caller${index}@${name}.example` }
      const answer = await callAt(baseUrls[0] ?? '', 'POST /auth/api/signup', { body })
      assert.equal(answer.status, 201, answer.text)
      return String(answer.body.token)
    }),
  )
  const running = tokens.map((token, index) => runCaller(index, token))

  return {
    operations,
    violations,
    count: (outcome, since = 0) =>
      operations.filter((made) => made.outcome === outcome && made.beganAt >= since).length,
    async stop() {
      over.abort()
      for (const look of await Promise.all(running)) await look()
    },
  }
}

function outcomeOf(answer: Answer | undefined, expected: readonly number[]): Outcome | undefined {
  if (answer === undefined) return 'unknown'
  if (expected.includes(answer.status)) return 'ok'
  const isAway =
    answer.status === 503 && answer.body?.error?.code === 'UNAVAILABLE' && answer.headers.has('retry-after')
  return isAway ? 'away' : undefined
}

/** The 90th percentile and the maximum of the time to a 503, in milliseconds. */
export function waitsOf({ operations }: Traffic): { most: number; longest: number } {
  const waits = operations.filter(({ outcome }) => outcome === 'away').map(({ beganAt, endedAt }) => endedAt - beganAt)
  const sorted = waits.sort((one, other) => one - other)
  return { most: sorted[Math.floor(sorted.length * 0.9)] ?? 0, longest: sorted.at(-1) ?? 0 }
}
