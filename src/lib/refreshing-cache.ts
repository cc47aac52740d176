import type { Clock } from './clock.ts'

export type Freshness = Readonly<{
  /** Age up to which the cached value is used without a refresh. */
  freshForMs: number
  /** Maximum age of a cached value while the source is unavailable. */
  maxAgeOnErrorMs: number
  /** Minimum interval between refreshes while a usable value is cached. */
  cooldownMs: number
  /** Interval after a failed refresh in which callers without a usable value are rejected at once. */
  failureCooldownMs: number
}>

export type RefreshingCache<T> = Readonly<{
  /** Rejects when there is no usable value. */
  get(): Promise<T>
  /** Refreshes a value that lacks something; within the cooldown it returns the cached value. */
  refetch(): Promise<T>
}>

/** @param load at most one call is in progress; concurrent callers share it */
export function createRefreshingCache<T>(
  load: () => Promise<T>,
  freshness: Freshness,
  clock: Clock,
): RefreshingCache<T> {
  let held: Readonly<{ value: T; atMs: number }> | undefined
  let failed: Readonly<{ error: unknown; atMs: number }> | undefined
  let loading: Promise<T> | undefined

  // After the clock is set back, a value counts as old, not as fresh for ever.
  const isWithin = (at: { atMs: number } | undefined, ms: number): boolean => {
    const ageMs = at === undefined ? -1 : clock.now() - at.atMs
    return ageMs >= 0 && ageMs < ms
  }

  async function reload(): Promise<T> {
    try {
      const value = await load()
      held = { value, atMs: clock.now() }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, atMs: clock.now() }
      throw error
    }
  }

  function refetch(): Promise<T> {
    if (loading !== undefined) return loading
    if (failed !== undefined && isWithin(failed, freshness.failureCooldownMs)) return Promise.reject(failed.error)
    if (held !== undefined && isWithin(held, freshness.cooldownMs)) return Promise.resolve(held.value)
    loading = reload().finally(() => void (loading = undefined))
    return loading
  }

  return {
    refetch,
    async get() {
      if (held !== undefined && isWithin(held, freshness.freshForMs)) return held.value
      // While the source is unavailable, only an occasional caller waits for it.
      const hasJustFailed = isWithin(failed, freshness.cooldownMs)
      if (held !== undefined && hasJustFailed && isWithin(held, freshness.maxAgeOnErrorMs)) return held.value
      try {
        return await refetch()
      } catch (error) {
        if (held !== undefined && isWithin(held, freshness.maxAgeOnErrorMs)) return held.value
        throw error
      }
    },
  }
}
