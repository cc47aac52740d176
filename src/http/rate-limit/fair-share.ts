/** A bound on what all callers do together that refuses those networks only that did more than their share. */
import type { Clock } from '../../lib/clock.ts'
import type { ClientNetworks } from '../../lib/network.ts'
import type { Rate } from '../../config/parsers.ts'

/** Counts of one window, in the memory of this process. */
export type FairShare = Readonly<{
  /** How long this network is refused for; 0: it is not. Depends on counts of calls, and on nothing that came of them. */
  refusedForMs(networks: ClientNetworks): number
  count(networks: ClientNetworks): void
}>

/**
 * Makes it. Where `count` calls were made in the window, a /24 or /48 is refused that made at least its
 * share, which is one call or more, if its /16 or /32 made its share too: one who holds a /32 has 65,536 /48s, and
 * would make everybody's share a single call. A network that has made none never is, so nobody is locked out by
 * others. From twice as many calls on a /16 or /32 with its share is refused whole: nobody has many of these. In all, a
 * window takes four times `count` calls, and one for each /16 and /32.
 */
export function createFairShare({ count: most, seconds }: Rate, clock: Clock): FairShare {
  let startMs = clock.now()
  let total = 0
  const byWide = new Map<string, number>()
  const byProvider = new Map<string, number>()

  function startAgainWhenOver(): void {
    const ageMs = clock.now() - startMs
    // Less than none: the clock was set back.
    if (ageMs >= 0 && ageMs < seconds * 1000) return
    startMs = clock.now()
    total = 0
    byWide.clear()
    byProvider.clear()
  }

  return {
    refusedForMs({ wide, provider }) {
      startAgainWhenOver()
      if (total < most) return 0
      const isLoud = hasItsShare(byWide, wide, most) && hasItsShare(byProvider, provider, most)
      // Less and less is shared: of those who come one after the other each would get a whole share.
      const isRefused = isLoud || (total >= 2 * most && hasItsShare(byProvider, provider, 4 * most - total))
      return isRefused ? startMs + seconds * 1000 - clock.now() : 0
    },
    count({ wide, provider }) {
      startAgainWhenOver()
      total += 1
      byWide.set(wide, (byWide.get(wide) ?? 0) + 1)
      byProvider.set(provider, (byProvider.get(provider) ?? 0) + 1)
    },
  }
}

function hasItsShare(counts: ReadonlyMap<string, number>, network: string, shared: number): boolean {
  return (counts.get(network) ?? 0) >= Math.max(1, Math.floor(shared / counts.size))
}
