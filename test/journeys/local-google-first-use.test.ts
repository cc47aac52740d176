import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { startFlow } from '../support/google/google.ts'
import { startWithLocalGoogle } from '../support/google/local-google.ts'

/** Longer than the service waits for an answer of Google. */
const LOAD_MS = 3500

test('the first sign-in works, however long the stand-in takes to load', async () => {
  let loaded = 0
  // A cold disk: nothing else runs while a module is read.
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      if (url.includes('/oidc-provider/') && loaded++ === 0) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOAD_MS)
      }
      return nextLoad(url, context)
    },
  })
  const service = await startWithLocalGoogle()
  try {
    assert.equal(loaded, 0, 'control: the first sign-in loads it')
    const { location } = await startFlow(service)
    assert.equal(location.pathname, '/dev/google/auth')
    assert.ok(loaded > 0)
  } finally {
    hooks.deregister()
    await service.close()
  }
})
