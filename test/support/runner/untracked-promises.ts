/**
 * Node's test runner follows every promise of a test, to name the test that an error after its end belongs to: a fifth
 * of a suite's processor time. Without it such an error still fails the file.
 */
import { createRequire } from 'node:module'
import type { AsyncHook, HookCallbacks } from 'node:async_hooks'

type CreateHook = (callbacks: HookCallbacks & { trackPromises?: boolean }) => AsyncHook

// The runner takes the function from this object when `node:test` is first imported.
const hooks = createRequire(import.meta.url)('node:async_hooks') as { createHook: CreateHook }
const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
