import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { freePort, temporaryFolder } from '../support/files.ts'
import { callAt } from '../support/http/call.ts'
import { runCli } from '../support/process/process.ts'

const root = join(import.meta.dirname, '../..')
const SLOW = join(root, 'test/support/google/slow-stand-in.ts')

test('the first sign-in works, however long the stand-in takes to load', async (t) => {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const service = runCli(['serve'], {
    cwd: folder.path,
    env: { PORT: port },
    // The stand-in is not part of the shipped build.
    command: [process.execPath, `--import=${SLOW}`, join(root, 'cli/paylink-auth.ts')],
  })
  t.after(async () => {
    service.kill('SIGTERM')
    await service.exited
    folder.remove()
  })
  await service.waitFor('is listening on')
  assert.doesNotMatch(service.output(), /\/oidc-provider\//, 'control: the first sign-in loads it')
  const answer = await callAt(`http://127.0.0.1:${port}/api/v1`, 'GET /auth/google/start')
  assert.equal(answer.status, 302, answer.text)
  assert.equal(new URL(answer.headers.get('location') ?? '').pathname, '/dev/google/auth')
  assert.match(service.output(), /\/oidc-provider\//)
})
