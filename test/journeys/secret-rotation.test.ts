import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { read } from '../support/accounts/tokens.ts'

const CALLERS = 8
const CALLS_A_STEP = 110

const folder = temporaryFolder()
const older = randomBytes(48).toString('base64')
const newer = randomBytes(48).toString('base64')
const running = new Set<Served>()
let publicUrl = ''

/** Starts a further process on the same database with these secrets; on an embedded one, instead of the others. */
async function start(signing: string, verifying = ''): Promise<Served> {
  if (skipsSeveral) await Promise.all([...running].map(stop))
  const address: Record<string, string> = publicUrl === '' ? {} : { PUBLIC_URL: publicUrl }
  const served = await serveIn(folder.path, { JWT_SECRET: signing, JWT_SECRET_VERIFY: verifying, ...address })
  running.add(served)
  return served
}

async function stop(served: Served): Promise<void> {
  if (!running.delete(served)) return
  await served.stop()
}

/** Tokens that must be accepted, by the kid in their header. */
const tokens: string[] = []
const kidOf = (token: string) => String(read(token).header['kid'])
let key: { keyId: string; keySecret: string }
let first: Served

before(async () => {
  first = await start(older)
  publicUrl = first.origin
  const body = { email: 'ana@example.com' }
  const signedUp = (await first.call('POST /auth/api/signup', { body })).body
  key = { keyId: signedUp.apiKey.keyId, keySecret: signedUp.keySecret }
  tokens.push(signedUp.token)
})
after(async () => {
  await Promise.all([...running].map(stop))
  folder.remove()
})

/** Uses and issues tokens at these processes, any token at any process; every call must succeed. */
async function callAll(processes: readonly Served[]): Promise<void> {
  const serving = processes.filter((served) => running.has(served))
  if (serving.length === 0) return
  let calls = 0
  const used = new Set<string>()
  const call = async (n: number) => {
    const served = serving[n % serving.length]!
    if (n % 5 === 0) {
      const made = await served.call('POST /auth/api/token', { body: key })
      assert.equal(made.status, 200, made.text)
      tokens.push(made.body.token)
      return
    }
    const token = tokens[n % tokens.length] ?? ''
    const { status, text } = await served.call('GET /users/me', { token })
    assert.equal(status, 200, `${text} ${kidOf(token)} at process ${n % serving.length}`)
    used.add(kidOf(token))
  }
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (calls < CALLS_A_STEP) await call(calls++)
    }),
  )
  assert.deepEqual(used, new Set(tokens.map(kidOf)), 'tokens of every secret were used')
}

test('announced, swapped and dropped under load, a secret change refuses no valid token and accepts no retired one [F41, GHSA-675f-rq2r-jw82]', async () => {
  // Each step starts a process with the next settings beside the previous one, as a rolling restart does.
  const [announced] = await Promise.all([start(older, newer), callAll([first])])
  await callAll([first, announced])
  await stop(first)
  const [swapped] = await Promise.all([start(newer, older), callAll([announced])])
  await callAll([announced, swapped])
  await stop(announced)
  await callAll([swapped])
  assert.equal(new Set(tokens.map(kidOf)).size, 2, 'tokens of both secrets were in use')

  // Seven days later: every token of the old secret has expired.
  const kid = kidOf(tokens.at(-1) ?? '')
  const retired = tokens.filter((token) => kidOf(token) !== kid)
  const current = tokens.filter((token) => kidOf(token) === kid)
  tokens.splice(0, tokens.length, ...current)
  const [dropped] = await Promise.all([start(newer), callAll([swapped])])
  await callAll([swapped, dropped])
  await stop(swapped)
  await callAll([dropped])
  assert.ok(retired.length > 20, `${retired.length} tokens of the old secret`)
  const refused = await Promise.all(retired.map((token) => dropped.call('GET /users/me', { token })))
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([401]))
})
