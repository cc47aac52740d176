/** A PostgreSQL server whose tables have no space left, while its log has. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { isRefused, signUp } from '../support/database/full-disk.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { temporaryFolder } from '../support/files.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../support/process/metrics.ts'
import { serveIn } from '../support/process/served.ts'
import { until } from '../support/until.ts'

test(
  'on a full disk writes get 503 that names the cause, tokens are checked, and writes continue once there is space',
  {
    skip: cannotMount,
  },
  async (t) => {
    const disk = mountSmallDisk(24)
    t.after(() => disk.remove())
    const tables = join(disk.path, 'tables')
    mkdirSync(tables)
    execFileSync('chmod', ['711', dirname(disk.path), disk.path])
    execFileSync('chown', ['postgres:', tables])
    const postgres = await startPostgres()
    t.after(() => postgres.remove())
    await postgres.query(`create tablespace small location '${tables}'`)
    await postgres.query('create database small tablespace small')
    const url = new URL(postgres.url)
    url.pathname = '/small'
    const folder = temporaryFolder()
    t.after(() => folder.remove())
    const service = await serveIn(folder.path, { DATABASE_URL: url.href, METRICS_TOKEN })
    t.after(() => service.process.kill('SIGKILL'))
    const { token } = (await signUp(service, 'known@example.com')).body
    disk.fill()

    let n = 0
    let refused = await signUp(service, 'first@example.com')
    for (; refused.status === 201; n += 1) refused = await signUp(service, `n${n}@example.com`)
    assert.ok(isRefused(refused), refused.text)
    assert.match(refused.body.error.message, /^The disk of the server has no space left/)
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
    assert.equal((await fetch(`${service.origin}/readyz`)).status, 200)
    const samples = await scrape(service.origin)
    assert.ok((valueOf(samples, 'database_refusals_total', { reason: 'disk_full' }) ?? 0) > 0)
    assert.equal(valueOf(samples, 'database_up'), 1)

    disk.free()
    await until(async () => (await signUp(service, `n${(n += 1)}@example.com`)).status === 201, 'writes continue')
  },
)
