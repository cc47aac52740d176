/** A rolling upgrade: this version keeps serving during and after the next version's additive migration. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import type { Database } from '../../src/database/database.ts'
import { migrations } from '../../src/database/migrate.ts'
import { incompatibleStatements, statementsOf } from '../support/database/additive-migrations.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { connectToDatabase, databaseEnv, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import { startTraffic } from '../support/process/traffic.ts'
import { until } from '../support/until.ts'

const NEXT = '9999-next'

/** One change of every kind that the rule allows, on the tables written most. */
const next: Migration = {
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('teams')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.references('users.id'))
      .execute()
    for (const table of ['users', 'api_keys', 'magic_links', 'queued_mails', 'security_events']) {
      await db.schema.alterTable(table).addColumn('team_id', 'text').execute()
      await db.schema
        .alterTable(table)
        .addColumn('region', 'text', (column) => column.notNull().defaultTo('eu'))
        .execute()
      await db.schema.createIndex(`${table}_by_region`).on(table).column('region').execute()
    }
  },
}

let folder: ReturnType<typeof temporaryFolder>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let db: Database
let env: Record<string, string>
let served: Served | undefined
const serve = async () => (served = await serveIn(folder.path, env))
before(async () => {
  folder = temporaryFolder()
  smtp = await startSmtp()
  // One address for all processes, because tokens are issued for it.
  env = {
    PORT: String(await freePort()),
    SMTP_URL: smtp.url,
    JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
  }
})
after(async () => {
  served?.process.kill('SIGKILL')
  await served?.process.exited
  await db?.close()
  await smtp.close()
  folder.remove()
})

/** Makes every kind of call once; none may be refused. */
async function useAll({ call }: Served, email: string) {
  const ok = async (status: number, ...made: Parameters<typeof call>) => {
    const answer = await call(...made)
    assert.equal(answer.status, status, `${made[0]}: ${answer.text}`)
    return answer.body
  }
  const { apiKey, keySecret, token: ofSignup } = await ok(201, 'POST /auth/api/signup', { body: { email } })
  const credentials = { keyId: apiKey.keyId, keySecret }
  const { token: exchanged } = await ok(200, 'POST /auth/api/token', { body: credentials })
  for (const token of [ofSignup, exchanged]) await ok(200, 'GET /users/me', { token })
  await ok(200, 'POST /auth/request', { body: { email } })
  const link = linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?'))
  const { token } = await ok(200, `GET /auth/verify${link.search}`)
  await ok(401, `GET /auth/verify${link.search}`)
  await ok(401, 'GET /users/me', { token: exchanged })
  await ok(200, `POST /auth/api-keys/${apiKey.id}/keep`, { token })
  await ok(200, 'PATCH /users/me', { token, body: { name: 'Ana' } })
  const made = await ok(201, 'POST /auth/api-keys', { token, body: {} })
  await ok(200, `POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  await ok(401, 'POST /auth/api/token', { body: credentials })
  const { apiKeys } = await ok(200, 'GET /auth/api-keys', { token })
  assert.deepEqual(apiKeys.map(({ status }: any) => status).toSorted(), ['ACTIVE', 'REVOKED'])
  const { events } = await ok(200, 'GET /auth/events', { token })
  assert.ok(events.length > 5)
  return { token, credentials: { keyId: made.apiKey.keyId, keySecret: made.keySecret } }
}

test('the next version’s migration is additive by the rule', async () => {
  const process = await serve()
  await process.stop()
  const scratch = await connectToDatabase(folder.path)
  const rolledBack = new Error('enough seen')
  const up: Migration['up'] = async (trx) => {
    await next.up(trx)
    throw rolledBack
  }
  const statements = await statementsOf(scratch, up)
  await scratch.close()
  assert.equal(statements.length, 1 + 5 * 3 + 1)
  assert.deepEqual(incompatibleStatements(statements.slice(0, -1)), [])
})

test('a process of this version serves every kind of call before, during and after that migration, and so does one started afterwards [F40]', async () => {
  let process = await serve()
  const early = await useAll(process, 'before@example.com')
  const traffic = await startTraffic([process.baseUrl], 'next', 3)
  await until(() => traffic.count('ok') > 60 || traffic.violations.length > 0, 'traffic runs')

  db = await connectToDatabase(folder.path)
  await db.transaction(async (trx) => {
    const getMigrations = async () => ({ ...migrations, [NEXT]: next })
    const { error, results } = await new Migrator({ db: trx.kysely, provider: { getMigrations } }).migrateToLatest()
    if (error !== undefined) throw error
    assert.deepEqual(
      results?.map(({ migrationName }) => migrationName),
      [NEXT],
    )
  })
  const migratedAt = performance.now()
  await until(() => traffic.count('ok', migratedAt) > 60 || traffic.violations.length > 0, 'traffic continues')
  await traffic.stop()
  assert.deepEqual(traffic.violations, [])
  assert.equal(traffic.count('unknown'), 0)
  const late = await useAll(process, 'after@example.com')

  await process.stop()
  const again = { cwd: folder.path, env: { ...env, ...(await databaseEnv(folder.path)) } }
  const { code, output } = await runCli(['migrate'], again).exited
  assert.equal(code, 0, output)
  process = await serve()
  for (const { token, credentials } of [early, late]) {
    assert.equal((await process.call('GET /users/me', { token })).status, 200)
    assert.equal((await process.call('POST /auth/api/token', { body: credentials })).status, 200)
  }
  await useAll(process, 'again@example.com')
  await process.stop()
  const users = await db.query
    .selectFrom('users' as any)
    .select(['region', 'team_id'] as any)
    .execute()
  assert.deepEqual(new Set(users.map((user: any) => `${user.region} ${user.team_id}`)), new Set(['eu null']))
})
