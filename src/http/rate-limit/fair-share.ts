/** A limit on all callers together that refuses only networks that have used up their share of it. */
import type { Clock } from '../../lib/clock.ts'
import type { ClientNetworks } from '../../lib/network.ts'
import type { Rate } from '../../config/parsers.ts'

/** Counts of one time window, in the memory of this process. */
export type FairShare = Readonly<{
  /** How long this network is refused; 0 if it is not. Depends on the counts of calls only, never on their outcome. */
  refusedForMs(networks: ClientNetworks): number
  /** Returns what undoes it, once. */
  count(networks: ClientNetworks): () => void
}>

/**
 * Nothing is refused before `count` calls in a window. From then on a /24 or /48 is refused once it has made its share
 * (the calls divided by the networks, at least one), if its /16 or /32 has made its share too: a holder of a /32 has
 * 65,536 /48s, which would shrink every share to a single call. From twice `count` on, a whole /16 or /32 is refused
 * once it has made its share; nobody holds many of these. A network without calls is never refused, so nobody can lock
 * others out. A window accepts at most four times `count` calls, plus one for each /16 and /32.
 */
export function createFairShare({ count: limit, seconds }: Rate, clock: Clock): FairShare {
  let startMs = clock.now()
  let total = 0
  const byWide = new Map<string, number>()
  const byProvider = new Map<string, number>()

  function resetAfterWindow(): void {
    const ageMs = clock.now() - startMs
    // A negative age means that the clock was set back.
    if (ageMs >= 0 && ageMs < seconds * 1000) return
    startMs = clock.now()
    total = 0
    byWide.clear()
    byProvider.clear()
  }

  return {
    refusedForMs({ wide, provider }) {
      resetAfterWindow()
      if (total < limit) return 0
      const isOverShare = hasItsShare(byWide, wide, limit) && hasItsShare(byProvider, provider, limit)
      // The shared amount shrinks with every call: otherwise each network of a series would get a full share.
      const isRefused = isOverShare || (total >= 2 * limit && hasItsShare(byProvider, provider, 4 * limit - total))
      return isRefused ? startMs + seconds * 1000 - clock.now() : 0
    },
    count({ wide, provider }) {
      resetAfterWindow()
      total += 1
      byWide.set(wide, (byWide.get(wide) ?? 0) + 1)
      byProvider.set(provider, (byProvider.get(provider) ?? 0) + 1)
      const countedAtMs = startMs
      return () => {
        if (startMs !== countedAtMs) return
        total -= 1
        decrement(byWide, wide)
        decrement(byProvider, provider)
      }
    },
  }
}

function decrement(counts: Map<string, number>, network: string): void {
  const count = counts.get(network) ?? 0
  // A network without calls has no share.
  if (count > 1) counts.set(network, count - 1)
  else counts.delete(network)
}

function hasItsShare(counts: ReadonlyMap<string, number>, network: string, shared: number): boolean {
  return (counts.get(network) ?? 0) >= Math.max(1, Math.floor(shared / counts.size))
}
