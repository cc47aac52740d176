import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import type { Answer } from '../support/http/call.ts'
import { temporaryFolder } from '../support/files.ts'
import { comeBack, startFlow, useCredential } from '../support/google/google.ts'
import { hangs } from '../support/wire/hostile-answers.ts'
import { startIssuer } from '../support/google/issuer.ts'
import { connectionsTo, openDescriptors, residentMiB, untilDescriptors } from '../support/process/resources.ts'
import { queryDatabase, serveIn } from '../support/process/served.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

const SIGN_INS = 40
/** Bound for the 99th percentile: a factor, plus milliseconds for a busy machine. */
const [P99_FACTOR, P99_SLACK_MS] = [5, 25]
/** The timeout of three seconds per call, plus time for a busy machine. */
const TIMED_OUT_WITHIN_MS = 8000
/** Connections that the test's own calls keep open. */
const OWN_CONNECTIONS = SIGN_INS + 10
/** A small heap, and the allowed growth of resident memory, which includes garbage not yet collected. */
const [HEAP_MIB, GROWTH_MIB] = [128, 160]

const p99 = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !condition();) {
    if (performance.now() > deadline) throw new Error('it does not come to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test(`a Google that hangs delays no protected call while ${SIGN_INS} sign-ins wait for it, and leaks nothing [F27, F28]`, async (t: TestContext) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const issuer = await startIssuer()
  t.after(() => issuer.close())
  const service = await serveIn(folder.path, {
    ...issuer.env,
    TRUST_PROXY: '127.0.0.1',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
  })
  t.after(() => service.process.kill('SIGKILL'))
  const { token } = (await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).body

  const elapsed = stopwatch(service.process)
  /** The duration of each call, one after another, until the work is done. */
  async function durationsDuring(work: Promise<unknown>): Promise<number[]> {
    const times: number[] = []
    const done = new AbortController()
    const finished = work.finally(() => done.abort())
    finished.catch(() => {})
    while (!done.signal.aborted) {
      const startMs = elapsed()
      assert.equal((await service.call('GET /users/me', { token })).status, 200)
      times.push(elapsed() - startMs)
      // Hundreds of calls are enough.
      await wait(25)
    }
    await finished
    return times
  }
  const healthy: number[] = []
  const hung: number[] = []
  const measureHealthy = async () =>
    void healthy.push(...(await durationsDuring(new Promise((resolve) => setTimeout(resolve, 1500)))))

  /**
   * Starts concurrent sign-ins that hang. Protected calls are measured from the moment all wait until all have failed.
   */
  async function measureHung(call: (index: number) => Promise<Answer>, areWaiting: () => boolean): Promise<void> {
    const startMs = elapsed()
    const calls = Promise.all(Array.from({ length: SIGN_INS }, (_, index) => call(index)))
    await until(areWaiting)
    hung.push(...(await durationsDuring(calls)))
    assert.ok(elapsed() - startMs < TIMED_OUT_WITHIN_MS)
    for (const answer of await calls) {
      assertError(answer, 'GOOGLE_UNAVAILABLE')
      assert.equal(answer.headers.get('retry-after'), '5')
    }
  }

  await measureHealthy()
  healthy.length = 0
  const idle = { descriptors: openDescriptors(service.process), mib: residentMiB(service.process) }

  issuer.handlers.discovery = hangs
  await measureHung(
    () => service.call('GET /auth/google/start'),
    () => issuer.hits.discovery > 0,
  )
  delete issuer.handlers.discovery
  assert.equal(issuer.hits.discovery, 1)
  await measureHealthy()

  // Longer than a failed discovery is cached.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  issuer.handlers.jwks = hangs
  const credentials = Array.from({ length: SIGN_INS }, () => issuer.sign())
  await measureHung(
    (index) => useCredential(service, credentials[index] ?? ''),
    () => issuer.hits.jwks > 0,
  )
  delete issuer.handlers.jwks
  assert.equal(issuer.hits.jwks, 1)
  await measureHealthy()

  const flows = await Promise.all(Array.from({ length: SIGN_INS }, () => startFlow(service)))
  const [further, last] = [await startFlow(service), await startFlow(service)]
  issuer.handlers.token = hangs
  await measureHung(
    async (index) => {
      const { jar, state } = flows[index] ?? assert.fail()
      // Each client may have five calls to Google in flight.
      return comeBack(service, jar, { code: 'code', state }, { 'x-forwarded-for': `198.51.100.${index % 50}` })
    },
    () => issuer.hits.token === SIGN_INS,
  )
  delete issuer.handlers.token
  await measureHealthy()

  const said = `p99 ${p99(hung).toFixed(1)} ms of ${hung.length} calls, healthy ${p99(healthy).toFixed(1)} ms of ${healthy.length}`
  t.diagnostic(
    `${said}; ${idle.mib.toFixed(0)} MiB at first, ${residentMiB(service.process).toFixed(0)} MiB at the end`,
  )
  assert.ok(hung.length > 100 && p99(hung) < P99_FACTOR * p99(healthy) + P99_SLACK_MS, said)

  // No sign-in succeeded so far; with a working Google they do.
  assert.deepEqual(await queryDatabase(folder.path, 'select count(*) as n from users'), [{ n: 1 }])
  for (const { jar, state, nonce } of [further, last]) {
    issuer.idToken = issuer.sign(issuer.claims({ nonce }))
    assert.equal((await comeBack(service, jar, { code: 'code', state })).status, 200)
  }
  assert.equal((await useCredential(service, credentials[0] ?? '')).status, 200)

  const issuerPort = Number(new URL(issuer.url).port)
  assert.ok(connectionsTo(issuerPort) > 0)
  await until(() => connectionsTo(issuerPort) === 0)
  await untilDescriptors(service.process, idle.descriptors + OWN_CONNECTIONS)
  assert.ok(
    residentMiB(service.process) < idle.mib + GROWTH_MIB,
    `from ${idle.mib} to ${residentMiB(service.process)} MiB`,
  )
  assert.equal(service.process.output().match(/Google could not be used/g)?.length, 2 + SIGN_INS)
  assert.ok(!service.process.output().includes(issuer.clientSecret))
  await service.stop()
})
