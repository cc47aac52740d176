/** Another process that holds the write lock of the embedded database delays writes only. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../support/files.ts'
import { openSqliteFile, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const folder = temporaryFolder()
let service: Served
let known: any

const signUp = (email: string) => service.call('POST /auth/api/signup', { body: { email } })
const requestLink = () => service.call('POST /auth/request', { body: { email: 'known@example.com' } })

before(async () => {
  service = await serveIn(folder.path, {
    RATE_LIMITS: 'on',
    RATE_LIMIT_SIGNUP_HOUR: '4/1h',
    RATE_LIMIT_MAIL_QUEUE: '5/1h',
    RATE_LIMIT_REQUEST_REPEAT: '1/30s',
  })
  known = (await signUp('known@example.com')).body
})
after(async () => {
  service?.process.kill('SIGKILL')
  await service?.process.exited
  folder.remove()
})

test('reads, protected calls, exchanges and /healthz are answered while writes wait, and then get 503, which is on no limit', async () => {
  const other = openSqliteFile(folder.path)
  other.exec('begin immediate')
  const beganMs = performance.now()
  const askedLink = requestLink()
  const waiting = new Set<string>()
  const writes = ['a', 'b', 'c'].map(async (name) => {
    waiting.add(name)
    const answer = await signUp(`${name}@example.com`)
    waiting.delete(name)
    return { answer, tookMs: performance.now() - beganMs }
  })
  const { apiKey, keySecret, token } = known
  let longestMs = 0
  let rounds = 0
  const timed = async (call: Promise<Readonly<{ status: number }>>) => {
    const startedMs = performance.now()
    assert.equal((await call).status, 200)
    longestMs = Math.max(longestMs, performance.now() - startedMs)
  }
  for (; waiting.size === 3; rounds += 1) {
    await Promise.all([
      timed(service.call('GET /users/me', { token })),
      timed(service.call('GET /auth/check', { token })),
      timed(service.call('GET /auth/api-keys', { token })),
      timed(service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })),
      timed(fetch(`${service.origin}/healthz`)),
    ])
    await wait(50)
  }
  const refused = await Promise.all(writes)
  const lockedMs = performance.now() - beganMs
  for (const { answer, tookMs } of refused) {
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.ok(tookMs >= 5000, `${tookMs} ms`)
    assert.equal(answer.headers.get('ratelimit'), null)
  }
  assert.equal((await askedLink).status, 503)
  assert.ok(rounds > 5, `${rounds} rounds`)
  assert.ok(longestMs < lockedMs / 2, `a read took ${longestMs} of ${lockedMs} ms`)
  const written = Promise.all([signUp('a@example.com'), requestLink()])
  other.exec('rollback')
  other.close()
  const [signedUp, asked] = await written
  assert.equal(signedUp.status, 201)
  assert.equal(asked.status, 200)
  assert.equal((await requestLink()).status, 429, 'what was accepted counts')
})

test('a stop refuses the writes that wait with 503, and does not do them when the lock ends', async () => {
  const other = openSqliteFile(folder.path)
  other.exec('begin immediate')
  const waiting = signUp('late@example.com')
  await wait(100)
  service.process.kill('SIGTERM')
  const { status, headers } = await waiting
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  other.exec('rollback')
  const { code, output } = await service.process.exited
  assert.equal(code, 0, output)
  assert.deepEqual(other.prepare("select id from users where email = 'late@example.com'").all(), [])
  other.close()
})
