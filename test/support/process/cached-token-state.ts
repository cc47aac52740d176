/**
 * Loaded into a service's process before it starts (`--import`): keeps what the guard reads of a token's state
 * for 50 ms. A service must not; with this, a test shows that it would see one that does.
 */
import { registerHooks } from 'node:module'

const STORE = '/src/domain/users/user-store.ts'
/** By this the store itself is loaded, behind the one that takes its place. */
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
