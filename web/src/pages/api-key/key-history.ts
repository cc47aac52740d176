import { readBackToCreations } from '../../events.ts'
import type { SecurityEvent } from '../../events.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Loaded } from '../../parts/use-loaded.ts'
import { listDescendants, listUses } from '../api-access/keys.ts'
import type { ApiKey, KeyUses } from '../api-access/keys.ts'

/** A key, and the keys that its tokens created. */
export type KeyNode = Readonly<{ apiKey: ApiKey; children: readonly KeyNode[] }>

export type KeyHistory = Readonly<{
  /** Absent: no longer recorded. */
  creation: SecurityEvent | undefined
  uses: KeyUses
  children: readonly KeyNode[]
  /** About the key, or done with it; newest first. */
  events: readonly SecurityEvent[]
}>

export const useKeyHistory = (id: string): Loaded<KeyHistory> =>
  useLoaded(`history of key ${id}`, async (signal) => {
    const [descendants, uses] = await Promise.all([listDescendants(id, signal), listUses(id, signal)])
    const { events, creations } = await readBackToCreations(new Set([id, ...descendants.map((key) => key.id)]), signal)
    return {
      creation: creations.get(id),
      uses,
      children: treeOf(id, descendants, creations),
      events: events.filter(({ apiKeyId, byApiKeyId }) => apiKeyId === id || byApiKeyId === id),
    }
  })

/** A key whose creation is no longer recorded stands directly below `id`. */
function treeOf(
  id: string,
  descendants: readonly ApiKey[],
  creations: ReadonlyMap<string, SecurityEvent>,
): readonly KeyNode[] {
  const listed = new Set(descendants.map((key) => key.id))
  const byMaker = Map.groupBy(descendants, (key) => {
    const maker = creations.get(key.id)?.byApiKeyId
    return maker && listed.has(maker) ? maker : id
  })
  const below = (maker: string): KeyNode[] =>
    (byMaker.get(maker) ?? []).map((apiKey) => ({ apiKey, children: below(apiKey.id) }))
  return below(id)
}
