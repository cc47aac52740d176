import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../support/files.ts'
import { startGoogleService } from '../../../support/google/google.ts'

test('while Google cannot be reached, the log says why and what to look at', async (t) => {
  const issuer = `http://127.0.0.1:${await freePort()}`
  const service = await startGoogleService({ GOOGLE_ISSUER: issuer, LOG_LEVEL: 'warn' })
  t.after(() => service.close())
  assert.equal((await service.call('GET /auth/google/start')).status, 503)
  const line = service.logLines.find((each) => each.includes('Google could not be used'))
  const { level, step, err } = JSON.parse(line ?? '')
  assert.deepEqual([level, step], [40, 'discovery'])
  assert.match(err.cause, /^refused: .*Check host and port/)
})
