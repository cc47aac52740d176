/** A sign-in and a signup work from end to end. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { startService } from '../support/service.ts'

test('smoke', async () => {
  const s = await startService()
  const token = await s.signIn('ana@example.com')
  assert.equal((await s.call('GET /users/me', { token })).status, 200)
  await s.signUp('bob@example.com')
  await s.close()
})
