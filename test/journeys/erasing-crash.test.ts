import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { addLinks, addOtherRows } from '../support/database/account-rows.ts'
import { runCli } from '../support/process/process.ts'
import { assertWhole, connectToDatabase, databaseEnv, queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const LINKS = 2000
/** Rows erased before a kill. */
const SOME = 300
/** Interval between looks at an account in erasure. */
const LOOK_EVERY_MS = 20
const folder = temporaryFolder()
let smtp: SmtpStandIn
let env: Record<string, string>
let service: Served
before(async () => {
  smtp = await startSmtp()
  env = { PORT: String(await freePort()), SMTP_URL: smtp.url, ...(await databaseEnv(folder.path)) }
  service = await serveIn(folder.path, env)
})
after(async () => {
  service?.process.kill('SIGKILL')
  await service?.process.exited
  await smtp?.close()
  folder.remove()
})

const call: Served['call'] = (route, options) => callAt(service.baseUrl, route, options)
const query = (text: string, ...values: unknown[]) => queryDatabase(folder.path, text, ...values)
const signIn = async (email: string): Promise<string> => {
  await call('POST /auth/request', { body: { email } })
  const { search } = linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?'))
  return (await call(`GET /auth/verify${search}`)).body.token
}
const kill = async () => {
  service.process.kill('SIGKILL')
  await service.process.exited
}

type Account = Readonly<{ id: string; token: string }>

/** Signs in as a new user and adds very many rows to the account. */
async function signInToLargeAccount(email: string): Promise<Account> {
  const token = await signIn(email)
  const { id } = (await call('GET /users/me', { token })).body.user
  const db = await connectToDatabase(folder.path)
  await addLinks(db, id, LINKS)
  await addOtherRows(db, id, 100)
  await db.close()
  return { id, token }
}

const tables = ['payment_links', 'idempotency_keys', 'sign_ins', 'security_events', 'key_makers', 'api_keys']
async function rowsLeft(id: string): Promise<number> {
  const [row] = await query(
    tables
      .map((table) => `(select count(*) from ${table} where user_id = '${id}')`)
      .join(' + ')
      .replace(/^/, 'select ') + ' as rows',
  )
  return Number(row.rows)
}

/** Asserts that neither its token, nor a link, nor its address leads to the account. */
async function assertInaccessible({ id, token }: Account, newToken: string): Promise<void> {
  assert.equal((await call('GET /users/me', { token })).status, 401)
  for (const n of [1, LINKS])
    assert.equal((await call(`GET /payment-links/${id}-${10_000_000 + n}/public`)).status, 404)
  assert.deepEqual((await call('GET /payment-links?status=ACTIVE', { token: newToken })).body.paymentLinks, [])
}

async function assertInaccessibleUntilErased(account: Account, newToken: string): Promise<void> {
  for (let isErased = false; !isErased; await wait(LOOK_EVERY_MS)) {
    isErased = (await rowsLeft(account.id)) === 0
    await assertInaccessible(account, newToken)
  }
}

test('a service that is killed repeatedly erases every row in the end', async () => {
  const email = 'ana@example.com'
  const account = await signInToLargeAccount(email)
  assert.equal((await call('DELETE /users/me', { token: account.token })).status, 200)
  const newToken = await signIn(email)
  let left = await rowsLeft(account.id)
  for (let kills = 0; kills < 2; kills += 1) {
    await assertInaccessible(account, newToken)
    for (const from = left; left > from - SOME && left > 0; left = await rowsLeft(account.id))
      await assertInaccessible(account, newToken)
    await kill()
    left = await rowsLeft(account.id)
    assert.ok(left > 0, 'rows were left to erase')
    await assertWhole(folder.path)
    service = await serveIn(folder.path, env)
  }
  await assertInaccessibleUntilErased(account, newToken)
  for (
    let tries = 0;
    (await query('select 1 from users where deleted_at_ms is not null and disabled_at_ms is not null')).length > 0;
    tries += 1
  ) {
    assert.ok(tries < 500, 'the tombstone says that nothing is left')
    await wait(20)
  }
  assert.deepEqual(
    await query(
      'select email, name, claimed_at_ms, disabled_at_ms, payment_link_count from users where id = ?',
      account.id,
    ),
    [{ email: account.id, name: null, claimed_at_ms: null, disabled_at_ms: null, payment_link_count: null }],
  )
})

test('the service finishes the deletion of a killed command; a command that is not killed exits after the last row', async () => {
  const account = await signInToLargeAccount('bob@example.com')
  const command = runCli(['users', 'delete', 'bob@example.com', '--yes'], { cwd: folder.path, env })
  while ((await rowsLeft(account.id)) > LINKS) await wait(1)
  command.kill('SIGKILL')
  await command.exited
  const left = await rowsLeft(account.id)
  assert.ok(left > 0)
  const newToken = await signIn('bob@example.com')
  await assertInaccessible(account, newToken)
  await kill()
  service = await serveIn(folder.path, env)
  await assertInaccessibleUntilErased(account, newToken)

  const { id } = await signInToLargeAccount('cia@example.com')
  const { code, output } = await runCli(['users', 'delete', 'cia@example.com', '--yes'], { cwd: folder.path, env })
    .exited
  assert.equal(code, 0, output)
  assert.match(output, /Deleted\. The address is free/)
  assert.equal(await rowsLeft(id), 0)
})
