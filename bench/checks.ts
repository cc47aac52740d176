/** Checks before the measurement: valid calls succeed, invalid ones are refused. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { ask } from './running.ts'
import type { Call, Calls, Workload } from './workloads.ts'

/** Numbers of links and addresses that no measurement uses. */
const [PROBE, RECORDED] = ['00000000', '00000001']
export const FIRST_NUMBER = 2

/** Checks that a target sends as many bytes as the service: the same user, a token of the same length. */
export async function checkLengths(name: string, port: number, calls: Calls, path: string): Promise<void> {
  const answers = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { body: string }>
  for (const work of ['protected-one', 'exchange'] as const) {
    const call = calls.works[work]?.[0]
    if (call === undefined) continue
    const { body } = await ask(port, call)
    const recorded = answers[call.path]?.body ?? ''
    if (work === 'exchange')
      assert.equal(body.length, recorded.length, `${name}: ${body} must be as long as ${recorded}`)
    else assert.equal(body, recorded, name)
  }
}

/** Records one answer of the service per workload, for the targets that replay them. */
export async function recordAnswers(port: number, calls: Calls, path: string): Promise<void> {
  const answers: Record<string, unknown> = {}
  for (const [call] of Object.values(calls.works)) {
    const { status, rawHeaders, body } = await ask(port, call as Call, RECORDED)
    const headers: string[] = []
    for (let n = 0; n < rawHeaders.length; n += 2) {
      const [name = '', value = ''] = rawHeaders.slice(n, n + 2)
      // Node adds these itself. Content-Length comes last: targets replace it with their own.
      if (!/^(date|connection|keep-alive|transfer-encoding|content-length)$/i.test(name)) headers.push(name, value)
    }
    headers.push('content-length', String(Buffer.byteLength(body)))
    answers[call?.path.split('?', 1)[0] ?? ''] = { status, headers, body }
  }
  writeFileSync(path, JSON.stringify(answers))
}

/**
 * @param doesNothing true for the floor, which gives every caller the same answer
 * @throws {AssertionError} with the first wrong answer
 */
export async function checkAnswers(
  name: string,
  port: number,
  calls: Calls,
  works: readonly Workload[],
  doesNothing: boolean,
): Promise<void> {
  for (const work of works) {
    const some = calls.works[work] ?? []
    for (const call of new Set([some.at(0), some.at(-1)])) {
      if (call === undefined) throw new Error(`${name} has no call for ${work}`)
      const { status, body } = await ask(port, call, PROBE)
      assert.equal(status, call.status, `${name}, ${work}: ${body}`)
      if (doesNothing) continue
      if (work === 'exchange') await checkToken(name, port, calls, body)
      if (work === 'link-verify' || work === 'signup') {
        const again = await ask(port, call, PROBE)
        assert.notEqual(again.status, call.status, `${name} accepts the same ${work} twice`)
      }
    }
  }
  for (const [what, call] of Object.entries(calls.refused)) {
    if (/link/.test(what) && !works.includes('link-verify')) continue
    const { status, body } = await ask(port, call)
    assert.equal(status, call.status, `${name} must refuse ${what}: ${body}`)
  }
}

// The token of an exchange must work in a protected call. Skipped for oidc-provider, whose client tokens have no user.
async function checkToken(name: string, port: number, calls: Calls, body: string): Promise<void> {
  const { token } = JSON.parse(body) as { token?: string }
  const call = calls.works.protected?.[0]
  if (token === undefined || call === undefined) return
  const { status } = await ask(port, { ...call, headers: { authorization: `Bearer ${token}` } })
  assert.equal(status, 200, `${name} refuses the token that it issued`)
}
