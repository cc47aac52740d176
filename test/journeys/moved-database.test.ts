/** An embedded database that was copied to PostgreSQL is out of date: nothing serves or writes it by mistake. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { skipReason, newTarget, openSourceIn, runCopy, sourceContent } from '../support/database/copying.ts'
import type { Content, Target } from '../support/database/copying.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath } from '../support/process/served.ts'

const MOVED = /was copied to PostgreSQL by copy-to-postgres and is out of date/
/** Beside the database, a backup and a file copy made afterwards, which carry the mark too. */
const KINDS = ['original', 'backup', 'copy'] as const

describe('a database after copy-to-postgres', { skip: skipReason }, () => {
  const root = temporaryFolder()
  const folderOf = (kind: string) => join(root.path, kind)
  let target: Target
  let content: Content
  const run = (kind: string, ...args: string[]) => {
    const env = {
      PORT: '1',
      HOST: '192.0.2.1',
      SMTP_URL: 'smtp://127.0.0.1:1',
      JWT_SECRET: 'a-test-secret-of-more-than-32-bytes',
    }
    return runCli(args, { cwd: folderOf(kind), env }).exited
  }

  before(async () => {
    target = await newTarget()
    for (const kind of KINDS) mkdirSync(join(folderOf(kind), 'data'), { recursive: true })
    assert.equal((await run('original', 'migrate')).code, 0)
    const file = openSourceIn(folderOf('original'))
    file.exec(
      `insert into users (id, email, role, token_version, created_at_ms) values ('ana', 'ana@example.com', 'USER', 0, 1)`,
    )
    file.close()
    assert.equal((await run('original', 'backup', 'before.db')).code, 0)
    const { code, output } = await runCopy(folderOf('original'), {}, ['--to', target.url])
    assert.equal(code, 0, output)
    assert.match(output, /^Database: .*original\/data\/paylink-auth\.db, to postgres:\/\/\w+@[\w.:]+\/\w+\. Settings: /)
    assert.match(output, /is marked as moved/)
    const backup = await run('original', 'backup', databasePath(folderOf('backup')))
    assert.equal(backup.code, 0, backup.output)
    assert.match(backup.output, /^Warning: .*out of date/m)
    copyFileSync(databasePath(folderOf('original')), databasePath(folderOf('copy')))
    content = sourceContent(folderOf('original'))
  })
  after(async () => {
    await target?.remove()
    root.remove()
  })

  for (const kind of KINDS) {
    test(`is served and written by no command: the ${kind}`, async () => {
      const writing = [
        ['serve'],
        ['migrate'],
        ['users', 'disable', 'ana@example.com', '--yes'],
        ['users', 'delete', 'ana@example.com', '--yes'],
        ['keys', 'create', 'ana@example.com'],
        ['restore', join(folderOf('original'), 'before.db'), '--yes'],
        ['copy-to-postgres', '--to', target.url],
      ]
      for (const args of writing) {
        const { code, output } = await run(kind, ...args)
        assert.equal(code, 78, output)
        assert.match(output, MOVED)
        assert.match(output, /Set DATABASE_URL .* or add --even-though-moved/)
      }
      assert.deepEqual(sourceContent(folderOf(kind)), content)
    })

    test(`is read with a warning, and doctor reports it: the ${kind}`, async () => {
      const { code, output } = await run(kind, 'users', 'list')
      assert.equal(code, 0, output)
      assert.match(output, MOVED)
      assert.match(output, /ana@example\.com/)
      const doctor = await run(kind, 'doctor')
      assert.match(doctor.output, /^TO DO {2}database .*was copied to PostgreSQL.* Set DATABASE_URL/m)
      assert.doesNotMatch(output + doctor.output, /even-though-moved/, 'an option that neither has')
    })
  }

  test('is not restored from its backup', async () => {
    const { code, output } = await run('copy', 'restore', databasePath(folderOf('backup')), '--yes')
    assert.equal(code, 78, output)
    assert.match(output, MOVED)
  })

  test('is migrated by a later version only with --even-though-moved', async () => {
    const file = openSourceIn(folderOf('copy'))
    file.exec(`
      drop index api_keys_by_user_end; drop index key_makers_by_maker; drop index payment_links_by_key;
      alter table key_makers drop column last_at_ms;
      delete from kysely_migration where name = '0012-bounded-keys'`)
    file.close()
    assert.equal((await run('copy', 'migrate')).code, 78)
    const migrated = await run('copy', 'migrate', '--even-though-moved')
    assert.match(migrated.output, /^Applied 0012-bounded-keys\.$/m)
    assert.equal((await run('copy', 'migrate')).code, 78, 'the mark stays')
  })

  test('is used with --even-though-moved', async () => {
    const restored = await run('original', 'restore', 'before.db', '--yes', '--even-though-moved')
    assert.equal(restored.code, 0, restored.output)
    assert.equal((await run('original', 'users', 'disable', 'ana@example.com', '--yes')).code, 0)
    const disabled = await run('backup', 'users', 'disable', 'ana@example.com', '--yes', '--even-though-moved')
    assert.equal(disabled.code, 0, disabled.output)
    assert.match(disabled.output, /^Warning: .*out of date/m)
    const serving = await run('backup', 'serve', '--even-though-moved')
    assert.match(serving.output, /Cannot listen on 192\.0\.2\.1/)
    assert.equal((await run('backup', 'users', 'enable', 'ana@example.com')).code, 78, 'the mark stays')
  })
})
