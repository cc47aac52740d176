/** A database that swallows everything keeps no caller waiting: limits and all, they are told within two seconds. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../support/answers.ts'
import { clusterUrl } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import type { DatabaseProxy } from '../support/database-proxy.ts'
import { temporaryFolder } from '../support/files.ts'
import { readyOf } from '../support/fleet.ts'
import { from, productionLimits } from '../support/limits.ts'
import { databaseEnv, queryBeside, serveIn } from '../support/served.ts'
import type { Served } from '../support/served.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { until } from '../support/until.ts'

const TOLD_WITHIN_MS = 2000
const options = { skip: clusterUrl === undefined && 'the embedded database is in the process' }
const folder = temporaryFolder()
let proxy: DatabaseProxy
let service: Served

before(async () => {
  if (clusterUrl === undefined) return
  proxy = await startDatabaseProxy(Number(new URL(clusterUrl).port || 5432))
  const { pathname } = new URL((await databaseEnv(folder.path))['DATABASE_URL'] ?? '')
  service = await serveIn(folder.path, {
    ...productionLimits,
    DATABASE_URL: new URL(pathname, proxy.url).href,
    LOG_LEVEL: 'silent',
  })
})
after(async () => {
  proxy?.pass()
  await service?.stop()
  await proxy?.close()
  folder.remove()
})

let asked = 0
const callers: Readonly<Record<string, readonly [string, string]>> = {
  'a link': ['POST /auth/request', 'queued_mails'],
  'an account': ['POST /auth/api/signup', 'users'],
}

for (const [what, [route, table]] of Object.entries(callers)) {
  const ask = (email: string) => service.call(route, { body: { email }, headers: from(`192.0.2.${++asked}`) })

  test(`whoever asks for ${what} meanwhile is told to come back, and finds nothing done`, options, async () => {
    const waits: number[] = []
    // More than once: a machine that has much else to do may keep anybody waiting.
    for (let round = 0; round < 3 && !(Math.min(...waits) <= TOLD_WITHIN_MS); round += 1) {
      const { status } = await ask(`ana${asked}@example.com`)
      assert.ok(status < 300, `${status}`)
      const email = `bob${asked}@example.com`
      proxy.swallow()
      const tookMs = stopwatch(service.process)
      const answer = await ask(email)
      waits.push(tookMs())
      assertError(answer, 'UNAVAILABLE')
      assert.equal(answer.headers.get('retry-after'), '1')
      proxy.pass()
      assert.deepEqual(await queryBeside(folder.path, `select email from ${table} where email = ?`, email), [])
      await until(async () => (await readyOf(service.origin)) === 200, 'ready again')
    }
    assert.ok(Math.min(...waits) <= TOLD_WITHIN_MS, `told after ${waits.map(Math.round).join(', ')} ms`)
  })
}
