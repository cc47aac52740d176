/**
 * Loaded into a service's process (`--import`): caches the guard's read of a token's state for 50 ms. With this fault,
 * a test shows that it detects such a cache.
 */
import { registerHooks } from 'node:module'

const STORE = '/src/domain/users/user-token-state-store.ts'
/** Loads the original store behind its replacement. */
const ORIGINAL = '?original'

const source = (url: string) => `
import { findTokenState as read } from ${JSON.stringify(url + ORIGINAL)}
export * from ${JSON.stringify(url + ORIGINAL)}

const KEPT_FOR_MS = 50
const kept = new Map()

export function findTokenState(db, asked) {
  // Within a transaction it is read under a lock, and not by the guard.
  if (db.isTransaction) return read(db, asked)
  const key = JSON.stringify([asked.userId, asked.apiKeyId])
  const known = kept.get(key)
  if (known !== undefined && performance.now() - known.readAt < KEPT_FOR_MS) return known.state
  const state = read(db, asked)
  kept.set(key, { readAt: performance.now(), state })
  return state
}
`

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(STORE)) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: source(url) }
  },
})
