/** Syncs of the embedded database: off the event loop, and the end of the service when one fails. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { assertWhole, databasePath, queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'

const built = temporaryFolder()
const shim = join(built.path, 'sync-shim.so')
let folder: ReturnType<typeof temporaryFolder>
let faults: string
let record: string
let env: Record<string, string>
let service: Served | undefined

before(() => {
  const source = join(import.meta.dirname, '../support/faults/sync-shim.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl'])
})
after(() => built.remove())
beforeEach(() => {
  folder = temporaryFolder()
  faults = join(folder.path, 'faults')
  record = join(folder.path, 'record')
  env = { LD_PRELOAD: shim, SYNC_FAULTS: faults, SYNC_RECORD: record }
})
afterEach(async () => {
  service?.process.kill('SIGKILL')
  await service?.process.exited
  folder.remove()
})

const serve = async (more: Record<string, string> = {}) => (service = await serveIn(folder.path, { ...env, ...more }))
const signUp = (at: Served, name: string) =>
  at.call('POST /auth/api/signup', { body: { email: `${name}@example.com` } })

/** Signs up until the service has ended; returns the acknowledged addresses. */
async function signUpUntilEnd(at: Served): Promise<string[]> {
  const acknowledged: string[] = []
  const ended = at.process.exited.then(() => true)
  for (let n = 0; ; n += 1) {
    const answer = await signUp(at, `n${n}`).catch(() => undefined)
    if (answer?.status === 201) acknowledged.push(`n${n}@example.com`)
    if (await Promise.race([ended, new Promise((resolve) => void setTimeout(resolve, 1, false))])) return acknowledged
  }
}

const emailsIn = async () => (await queryDatabase(folder.path, 'select email from users')).map(({ email }) => email)

test('while it serves, the main thread syncs nothing, over several checkpoints of the log', async () => {
  const at = await serve({ SYNC_US: '2000', LOG_LEVEL: 'debug' })
  await signUp(at, 'first')
  rmSync(record, { force: true })
  const writers = Array.from({ length: 20 }, async (_, writer) => {
    for (let n = 0; !at.process.output().includes('started anew'); n += 1) {
      assert.equal((await signUp(at, `w${writer}n${n}`)).status, 201)
    }
  })
  await Promise.all(writers)
  assert.equal(existsSync(record) ? statSync(record).size : 0, 0)
  await at.stop()
  assert.ok(readFileSync(record).length > 0, 'the end is recorded')
  await assertWhole(folder.path)
})

describe('a failed sync', () => {
  for (const [what, end] of [
    ['of the log', '.db-wal'],
    ['of a checkpoint', '.db'],
  ] as const) {
    test(`${what} ends the service with one line; every acknowledged write is there after the next start`, async () => {
      const at = await serve()
      const told = (await signUp(at, 'first')).body.user.email as string
      writeFileSync(faults, end)
      const acknowledged = await signUpUntilEnd(at)
      const { code, output } = await at.process.exited
      assert.equal(code, 1, output)
      const lines = output.split('\n').filter((line) => line.includes('can no longer be trusted'))
      assert.equal(lines.length, 1, output)
      if (end === '.db-wal') assert.deepEqual(acknowledged, [])
      assert.ok(existsSync(`${databasePath(folder.path)}-wal`), 'the end left the log for the next start')
      rmSync(faults)
      const again = await serve()
      const emails = new Set(await emailsIn())
      assert.deepEqual(
        [told, ...acknowledged].filter((email) => !emails.has(email)),
        [],
      )
      await again.stop()
      await assertWhole(folder.path)
    })
  }

  test('at the start refuses it with one line', async () => {
    const at = await serve()
    await signUp(at, 'first')
    at.process.kill('SIGKILL')
    await at.process.exited
    writeFileSync(faults, '.db')
    const { code, output } = await runCli(['serve'], { cwd: folder.path, env }).exited
    assert.equal(code, 1, output)
    assert.match(output, /^The disk of the database failed: .*\(SQLite 1034\)/m)
    assert.equal(output.trim().split('\n').length, 2, output)
    rmSync(faults)
    await (await serve()).stop()
    assert.deepEqual(await emailsIn(), ['first@example.com'])
  })
})
