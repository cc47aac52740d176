/** One service at a time serves an embedded database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import { runCli } from '../support/process/process.ts'
import { assertWhole, databasePath, serveIn } from '../support/process/served.ts'

const folder = temporaryFolder()
after(() => folder.remove())

const signUp = async (service: Awaited<ReturnType<typeof serveIn>>, email: string) =>
  (await service.call('POST /auth/api/signup', { body: { email } })).status

test('a second service on the same file says so and stops, whatever the file is called, and the first goes on', async () => {
  const service = await serveIn(folder.path)
  const elsewhere = temporaryFolder()
  const DATA_DIR = `${folder.path}/../${folder.path.split('/').at(-1)}/data`
  const second = await runCli(['serve'], { cwd: elsewhere.path, env: { DATA_DIR, PORT: '1' } }).exited
  assert.equal(second.code, 1, second.output)
  const lines = second.output.trimEnd().split('\n')
  assert.equal(lines.length, 3, second.output)
  assert.match(lines[1] ?? '', /^Another service or a restore has .*paylink-auth\.db open\. Waiting for it to end\.$/)
  assert.match(lines[2] ?? '', /^Another service has .* open, and only one can serve an embedded database\./)
  assert.equal(await signUp(service, 'ana@example.com'), 201)
  const commands = operatorIn(folder.path, {})
  assert.equal(
    (await commands.run('users', 'disable', 'ana@example.com', '--yes')).code,
    0,
    'commands do not need the service lock',
  )
  assert.equal((await commands.run('migrate')).code, 0)
  await service.stop()
  elsewhere.remove()
})

test('a service that was killed leaves no lock', async () => {
  const killed = await serveIn(folder.path)
  killed.process.kill('SIGKILL')
  await killed.process.exited
  const next = await serveIn(folder.path)
  assert.doesNotMatch(next.process.output(), /Another service/)
  await next.stop()
})

test('a service started before the old one has ended takes over when it does', async () => {
  const old = await serveIn(folder.path)
  const starting = serveIn(folder.path, { DATABASE_URL: `sqlite:${databasePath(folder.path)}` })
  const next = runCli(['serve'], { cwd: folder.path, env: { PORT: new URL(old.origin).port } })
  await next.waitFor('Waiting for it to end')
  next.kill('SIGTERM')
  assert.equal((await next.exited).signal, 'SIGTERM', 'it ends on a signal while it waits')
  assert.equal(await signUp(old, 'bob@example.com'), 201)
  await old.stop()
  const service = await starting
  assert.equal(await signUp(service, 'bob@example.com'), 409)
  await service.stop()
  await assertWhole(folder.path)
})
