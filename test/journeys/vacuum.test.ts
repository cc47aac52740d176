/** `paylink-auth vacuum`: a database from before deleted content was overwritten is rid of it. */
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { freePort, temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import type { Operator } from '../support/process/operator.ts'
import { databasePath, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const ADDRESS = 'distinctive-address@example.com'
const folder = temporaryFolder()
let smtp: SmtpStandIn
let env: Record<string, string>
let service: Served
let operator: Operator

before(async () => {
  smtp = await startSmtp()
  env = { PORT: String(await freePort()), SMTP_URL: smtp.url, DATABASE_URL: '' }
  service = await serveIn(folder.path, env)
  operator = operatorIn(folder.path, env)
})
after(async () => {
  service?.process.kill('SIGKILL')
  await service?.process.exited
  await smtp?.close()
  folder.remove()
})

const file = () => databasePath(folder.path)
const isInFile = (text: string) => readFileSync(file(), 'latin1').includes(text)
const signUp = async (email: string) => {
  const answer = await service.call('POST /auth/api/signup', { body: { email } })
  // Sending it adds a row of its buttons.
  if (answer.status === 201) await smtp.mailTo(email)
  return answer
}

test('it refuses while a service has the database open', async () => {
  assert.equal((await signUp('ana@example.com')).status, 201)
  const { code, output } = await operator.run('vacuum')
  assert.equal(code, 1)
  assert.match(output, /^Nothing was changed: a service or another command has \S+ open\. Stop it first\.$/m)
})

test('it removes what an earlier version deleted, keeps every row, and the service starts again', async () => {
  assert.equal((await signUp(ADDRESS)).status, 201)
  await service.stop()
  // As earlier versions deleted an account: its content stays in free space.
  const earlier = new DatabaseSync(file())
  earlier.exec(
    `update users set email = id where email = '${ADDRESS}'; delete from queued_mails; delete from mail_buttons`,
  )
  earlier.close()
  assert.equal(isInFile(ADDRESS), true)
  const found = statSync(file())
  const { bytesBefore, bytes } = await operator.json('vacuum')
  assert.deepEqual([isInFile(ADDRESS), isInFile('ana@example.com')], [false, true])
  assert.deepEqual([bytesBefore, bytes], [found.size, statSync(file()).size])
  assert.deepEqual([statSync(file()).mode, statSync(file()).ino], [found.mode, found.ino])
  assert.equal(existsSync(`${file()}-wal`), false)
  service = await serveIn(folder.path, env)
  assert.equal((await signUp('ana@example.com')).body.error.code, 'EMAIL_TAKEN')
})

test('an account that a command deletes beside the service is in no file once both have ended', async () => {
  assert.equal((await signUp(ADDRESS)).status, 201)
  const { code, output } = await operator.run('users', 'delete', ADDRESS, '--yes')
  assert.equal(code, 0, output)
  await service.stop()
  assert.deepEqual([isInFile(ADDRESS), existsSync(`${file()}-wal`)], [false, false])
})

test('a damaged database is refused and not changed', async () => {
  const descriptor = openSync(file(), 'r+')
  writeSync(descriptor, Buffer.alloc(4096, 1), 0, 4096, 3 * 4096)
  closeSync(descriptor)
  const damaged = readFileSync(file())
  const { code, output } = await operator.run('vacuum')
  assert.equal(code, 1)
  assert.match(output, /^Nothing was changed\. \S+: it (is damaged|cannot be read) \(/m)
  assert.ok(readFileSync(file()).equals(damaged))
})

test('there is none to vacuum on PostgreSQL, and none where there is no database', async () => {
  const elsewhere = operatorIn(folder.path, { ...env, DATA_DIR: `${folder.path}/none` })
  assert.match((await elsewhere.run('vacuum')).output, /^No database found at /m)
  const onServer = operatorIn(folder.path, { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  assert.match((await onServer.run('vacuum')).output, /^PostgreSQL frees the space of deleted rows by itself/m)
})
