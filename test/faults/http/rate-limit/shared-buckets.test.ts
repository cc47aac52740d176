import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { clusterUrl } from '../../../support/database/database.ts'
import { startDatabaseProxy } from '../../../support/postgres/database-proxy.ts'
import type { DatabaseProxy } from '../../../support/postgres/database-proxy.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { readyOf } from '../../../support/gateways/fleet.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { databaseEnv, queryDatabase, serveIn } from '../../../support/process/served.ts'
import type { Served } from '../../../support/process/served.ts'
import { until } from '../../../support/until.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const ANSWERED_WITHIN_MS = 2000
const options = { skip: clusterUrl === undefined && 'SQLite runs in the process' }
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

  test(`a caller who asks for ${what} is told to retry, and nothing is stored`, options, async () => {
    const waits: number[] = []
    // Repeated, because load on the machine can delay a single call.
    for (let round = 0; round < 3 && !(Math.min(...waits) <= ANSWERED_WITHIN_MS); round += 1) {
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
      assert.deepEqual(await queryDatabase(folder.path, `select email from ${table} where email = ?`, email), [])
      await until(async () => (await readyOf(service.origin)) === 200, 'ready again')
    }
    assert.ok(Math.min(...waits) <= ANSWERED_WITHIN_MS, `answered after ${waits.map(Math.round).join(', ')} ms`)
  })
}
