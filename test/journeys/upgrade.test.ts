import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { assertWhole, databasePath, openSqliteFile, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { shiftedBy } from '../support/faults/shifted-clock.ts'
import { startSmtp } from '../support/mail/smtp.ts'

const RELEASES = new URL('../releases/', import.meta.url)
const releases = readdirSync(RELEASES).filter((name) => name.endsWith('.json'))
const DAY_MS = 86_400_000

type Key = Readonly<{ id: string; keyId: string; keySecret: string }>
type Release = Readonly<{
  recordedAtMs: number
  settings: Record<string, string>
  held: Readonly<{
    accepted: Record<string, string>
    refused: Record<string, string>
    liveKeys: Record<string, Key>
    revokedKey: Key
    waitingKey: Key
    activeLink: string
    endedLink: string
    unusedLink: string
    waitingMail: string
  }>
  sql: string[]
}>

/**
 * A folder with the database of a release, and the settings to run this version on it a minute after it was recorded.
 */
async function restoreRelease(t: TestContext, name: string) {
  const release = JSON.parse(readFileSync(new URL(name, RELEASES), 'utf8')) as Release
  const folder = temporaryFolder()
  const smtp = await startSmtp()
  mkdirSync(dirname(databasePath(folder.path)), { mode: 0o700 })
  const file = new DatabaseSync(databasePath(folder.path), { enableForeignKeyConstraints: false })
  for (const statement of release.sql) file.exec(statement)
  file.close()
  const env = {
    ...release.settings,
    ...shiftedBy(release.recordedAtMs + 60_000 - Date.now()),
    PORT: String(await freePort()),
    SMTP_URL: smtp.url,
  }
  let served: Served | undefined
  t.after(async () => {
    served?.process.kill('SIGKILL')
    await served?.process.exited
    await smtp.close()
    folder.remove()
  })
  const run = async (...args: string[]) => runCli(args, { cwd: folder.path, env }).exited
  return { ...release, folder: folder.path, smtp, run, serve: async () => (served = await serveIn(folder.path, env)) }
}

const exchange = ({ call }: Served, { keyId, keySecret }: Key) =>
  call('POST /auth/api/token', { body: { keyId, keySecret } })

/** Every row of these tables, in these columns. */
function rowsOf(folder: string, columnsOf: ReadonlyMap<string, readonly string[]>) {
  const file = openSqliteFile(folder)
  const rows = [...columnsOf].map(([table, columns]) => [
    table,
    file.prepare(`select ${columns.join()} from "${table}" order by 1`).all(),
  ])
  file.close()
  return Object.fromEntries(rows) as Record<string, unknown[]>
}

function columnsIn(folder: string): Map<string, string[]> {
  const file = openSqliteFile(folder)
  const found = file
    .prepare(`
    select m.name as table_name, c.name as column_name from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'kysely_%'`)
    .all() as Record<string, string>[]
  file.close()
  return new Map(
    [...Map.groupBy(found, ({ table_name: table = '' }) => table)].map(([table, rows]) => [
      table,
      rows.map((row) => `"${row['column_name']}"`),
    ]),
  )
}

async function assertHolds(service: Served, held: Release['held']): Promise<void> {
  for (const [label, token] of Object.entries(held.accepted))
    assert.equal((await service.call('GET /users/me', { token })).status, 200, label)
  for (const [label, token] of Object.entries(held.refused))
    assert.equal((await service.call('GET /users/me', { token })).status, 401, label)
  for (const [label, key] of Object.entries(held.liveKeys))
    assert.equal((await exchange(service, key)).status, 200, label)
  assert.equal((await exchange(service, held.revokedKey)).body.error.code, 'INVALID_CREDENTIALS')
  assert.equal((await exchange(service, held.waitingKey)).body.error.code, 'KEY_AWAITS_OWNER')
  const token = held.accepted['ana'] ?? ''
  const { paymentLinks } = (await service.call('GET /payment-links', { token, headers: { 'x-currency': 'EUR' } })).body
  assert.deepEqual(
    paymentLinks.map(({ id, title, status }: any) => [id, title, status]).toSorted(),
    [
      [held.activeLink, 'active', 'ACTIVE'],
      [held.endedLink, 'ended', 'INACTIVE'],
    ].toSorted(),
  )
}

test('there is a record of a release to upgrade from', () => assert.ok(releases.length > 0))

for (const name of releases) {
  test(`on the database of ${name} this version serves everything and loses nothing [F40]`, async (t) => {
    const { held, smtp, folder, serve } = await restoreRelease(t, name)
    const columns = columnsIn(folder)
    const before = rowsOf(folder, columns)
    const service = await serve()
    // Queued mail and failures written behind may have been processed since; everything else is unchanged.
    const after = rowsOf(folder, columns)
    for (const [table, rows] of Object.entries(before)) {
      if (!['queued_mails', 'magic_links', 'mail_buttons'].includes(table)) assert.deepEqual(after[table], rows, table)
    }
    await assertHolds(service, held)
    const token = held.accepted['ana'] ?? ''
    const again = {
      body: { title: 'active', amount: 1250 },
      token,
      headers: { 'idempotency-key': 'active', 'x-currency': 'EUR' },
    }
    assert.equal(
      (await service.call('POST /payment-links', again)).body.paymentLink?.id,
      held.activeLink,
      'an earlier Idempotency-Key is known',
    )
    assert.equal((await service.call(`GET /auth/verify?token=${held.unusedLink}`)).status, 200)
    assert.equal((await service.call(`GET /auth/verify?token=${held.unusedLink}`)).status, 401)
    await smtp.mailTo(held.waitingMail)
    assert.equal((await service.call('POST /auth/api/signup', { body: { email: 'bob@example.com' } })).status, 409)
    assert.equal(
      (await service.call(`POST /auth/api-keys/${held.waitingKey.id}/keep`, { token: held.accepted['cia'] ?? '' }))
        .status,
      200,
    )
    assert.equal((await exchange(service, held.waitingKey)).status, 200)
    assert.equal((await service.call('POST /auth/api/signup', { body: { email: 'new@example.com' } })).status, 201)
    await service.stop()
    await assertWhole(folder)
  })
}

test('the way back: a version too old for the schema restores the earlier backup, and nothing revoked since works', async (t) => {
  const { held, folder, serve, run } = await restoreRelease(t, releases.at(-1) ?? '')
  let service = await serve()
  const file = join(folder, 'before.db')
  const backup = await run('backup', file)
  assert.equal(backup.code, 0, backup.output)
  const ana = held.accepted['ana'] ?? ''
  const { live, bob } = held.liveKeys as { live: Key; bob: Key }
  // The next version migrates to a schema that this one must refuse, and a key is revoked under it.
  assert.equal((await service.call(`POST /auth/api-keys/${live.id}/revoke`, { token: ana })).status, 200)
  await service.stop()
  const next = openSqliteFile(folder)
  next.exec(
    `insert into kysely_migration (name, timestamp) values ('9999-strict-next', '${new Date(Date.now() + DAY_MS).toISOString()}'); alter table users add column next text`,
  )
  next.close()
  const refused = await run('serve')
  assert.equal(refused.code, 1)
  assert.match(refused.output, /too old for the data: .*9999-strict-next/)

  const restored = await run('restore', file, '--yes')
  assert.equal(restored.code, 0, restored.output)
  service = await serve()
  for (const token of Object.values(held.accepted))
    assert.equal((await service.call('GET /users/me', { token })).status, 401)
  for (const key of [live, held.revokedKey])
    assert.equal((await exchange(service, key)).body.error.code, 'INVALID_CREDENTIALS')
  const exchanged = await exchange(service, bob)
  assert.equal(exchanged.status, 200, exchanged.text)
  assert.equal((await service.call('GET /users/me', { token: exchanged.body.token })).status, 200)
  await service.stop()
  await assertWhole(folder)
})
