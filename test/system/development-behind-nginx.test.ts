import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startPlainNginx } from '../support/gateways/nginx.ts'
import { runCli } from '../support/process/process.ts'
import { serveIn } from '../support/process/served.ts'

test('nginx with a bare `proxy_pass` gets none of the development pages', async () => {
  const folder = temporaryFolder()
  const service = await serveIn(folder.path)
  const nginx = await startPlainNginx(await freePort(), service.origin)
  // nginx passes other calls on, so the refusal is the service's.
  assert.equal((await callAt(nginx.origin, 'GET /api/v1/auth/config')).status, 200)
  for (const path of [
    '/dev/mailbox',
    '/dev/google/jwks',
    '/dev/google/gsi/credential?email=ana%40example.com',
    '/dev/page.css',
  ]) {
    assertError(await callAt(nginx.origin, `GET ${path}`), 'NOT_FOUND')
    assert.equal((await callAt(service.origin, `GET ${path}`)).status, 200, path)
  }
  await nginx.stop()
  await service.stop()
  folder.remove()
})

// A proxy that uses HTTP/1.1, adds no field and sends a loopback Host cannot be told from a browser.
test('with the public address that such a deployment needs it refuses to start, and says what to set', async () => {
  const folder = temporaryFolder()
  const env = { PORT: String(await freePort()), PUBLIC_URL: 'https://auth.example.com' }
  const running = runCli(['serve'], { cwd: folder.path, env })
  // A service that did start would not exit by itself.
  void running.waitFor('is listening on').then(
    () => running.kill('SIGKILL'),
    () => {},
  )
  const { code, output } = await running.exited
  assert.equal(code, 78, output)
  assert.match(output, /PUBLIC_URL is not loopback.*SMTP_URL.*NODE_ENV=production.*PUBLIC_URL=http:\/\/localhost:PORT/)
  folder.remove()
})
