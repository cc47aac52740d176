import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, temporaryFolder } from '../support/files.ts'

test('SIGTERM to npm closes the service: the port and the database are free again', async () => {
  const folder = temporaryFolder()
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder.path,
      EXCHANGE_RATES_URL: 'off',
      NODE_TEST_CONTEXT: undefined,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const exited = once(npm, 'exit')
  while (!output.includes('curl')) await wait(10)
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)

  npm.kill('SIGTERM')
  await exited
  while (!output.includes('"msg":"closed"')) await wait(10)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`))
  assert.equal(existsSync(join(folder.path, 'paylink-auth.db-wal')), false)
  folder.remove()
})
