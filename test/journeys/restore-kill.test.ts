/** What kill -9 leaves after each step of a restore: the database is the old one, unchanged, or the restored one, made safe. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { onEmbeddedOnly } from '../support/database/database.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath, openSqliteFile } from '../support/process/served.ts'

const HOOK = new URL('../support/faults/crash-after-step.ts', import.meta.url).href

describe('a restore that is killed', onEmbeddedOnly('a restore'), () => {
  const original = temporaryFolder()
  const restore = ['restore', join(original.path, 'backup.db'), '--yes']
  before(async () => {
    const run = (...args: string[]) => runCli(args, { cwd: original.path }).exited
    assert.equal((await run('migrate')).code, 0)
    const db = openSqliteFile(original.path)
    const insertUser = db.prepare(
      `insert into users (id, email, role, token_version, created_at_ms) values (?, ?, 'USER', 3, 1)`,
    )
    for (const id of ['ana', 'bob']) insertUser.run(id, `${id}@example.com`)
    db.exec(
      `insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms) values ('k', 'ana', 'k', 'plk_k', 'h', 1)`,
    )
    assert.equal((await run('backup', 'backup.db')).code, 0)
    db.exec(
      `update api_keys set revoked_at_ms = 5; update users set name = 'Since the backup'; insert into users (id, email, role, token_version, created_at_ms) values ('cia', 'cia@example.com', 'USER', 0, 1)`,
    )
    // The state after a crash: the last writes are in the WAL file only.
    cpSync(join(original.path, 'data'), join(original.path, 'crashed'), { recursive: true })
    db.close()
  })
  after(() => original.remove())

  /** Which database is in place. */
  function stateIn(folder: string): 'old' | 'new' {
    const db = new DatabaseSync(databasePath(folder))
    try {
      assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
      const users = db
        .prepare('select id, name, token_version as v from users order by id')
        .all()
        .map((row) => Object.assign({}, row))
      const key = db
        .prepare('select revoked_at_ms from api_keys')
        .all()
        .map((row) => row['revoked_at_ms'])
      assert.deepEqual(key, [5], 'revoked keys are revoked in either database')
      const isNew = users.length === 2
      const expected = isNew
        ? ['ana', 'bob'].map((id) => ({ id, name: null, v: 1_000_003 }))
        : ['ana', 'bob', 'cia'].map((id) => ({
            id,
            name: id === 'cia' ? null : 'Since the backup',
            v: id === 'cia' ? 0 : 3,
          }))
      assert.deepEqual(users, expected)
      return isNew ? 'new' : 'old'
    } finally {
      db.close()
    }
  }

  /** A folder with the database after the crash. */
  function newFolder(t: TestContext): string {
    const folder = temporaryFolder()
    t.after(folder.remove)
    cpSync(join(original.path, 'crashed'), join(folder.path, 'data'), { recursive: true })
    return folder.path
  }

  test('leaves the old database up to one step, and the restored one from then on', async (t) => {
    const cwd = newFolder(t)
    const { code, output } = await runCli(restore, { cwd, env: { NODE_OPTIONS: `--import=${HOOK}` } }).exited
    assert.equal(code, 0, output)
    assert.match(output, /^replaced database +kept as/m)
    assert.equal(stateIn(cwd), 'new')
    const isExpected = (name: string) => /^jwt-secret$|^paylink-auth\.db(-lock|-replaced-[\dTZ]+)?$/.test(name)
    const left = readdirSync(join(cwd, 'data')).filter((name) => !isExpected(name))
    assert.deepEqual(left, [], 'no temporary file is left')

    const copies = readdirSync(join(cwd, 'copies')).toSorted((a, b) => Number(a) - Number(b))
    // The next restore succeeds whatever the killed one left behind.
    const leftovers = new Map<string, string>()
    const states: string[] = []
    for (const name of copies) {
      const copy = join(cwd, 'copies', name)
      const files = readdirSync(join(copy, 'data'))
        .join()
        .replaceAll(/-replaced-[\dTZ]+/g, '-replaced')
      if (!leftovers.has(files)) {
        leftovers.set(files, join(cwd, name))
        cpSync(copy, join(cwd, name), { recursive: true })
      }
      states.push(stateIn(copy))
    }
    assert.match(states.join(','), /^(old,){10,}new(,new)*$/)
    for (const folder of leftovers.values()) {
      const again = await runCli(restore, { cwd: folder }).exited
      assert.equal(again.code, 0, again.output)
    }

    const oldUntil = states.indexOf('new')
    for (const [step, state] of [
      [oldUntil, 'old'],
      [oldUntil + 1, 'new'],
    ] as const) {
      const killed = newFolder(t)
      const env = { KILL_AFTER: String(step), NODE_OPTIONS: `--import=${HOOK}` }
      const { signal } = await runCli(restore, { cwd: killed, env }).exited
      assert.deepEqual([signal, stateIn(killed)], ['SIGKILL', state])
    }
  })
})
