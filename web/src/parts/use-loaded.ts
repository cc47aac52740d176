import { useEffect, useRef, useState } from 'preact/hooks'

export type Loaded<T, K = undefined> = Readonly<{
  /** What `value` was loaded for, or is being loaded for. A failed load returns to the key of `value`. */
  key: K
  value: T | undefined
  error: Error | undefined
  isLoading: boolean
  /** Whether another key is being loaded than that of `value`. */
  isStale: boolean
  load(key: K): Promise<void>
  reload(): Promise<void>
  /** Repeats the last load, which failed. */
  retry(): Promise<void>
  /** Loads the next value from the current one, for example with another page. Does nothing during a load. */
  extend(read: (value: T, signal: AbortSignal) => Promise<T>): Promise<void>
  /** Changes the value. A load in flight starts again: its answer may be from before the change. */
  update(change: (value: T) => T): void
}>

type State<T, K> = Readonly<{
  key: K
  value: Readonly<{ key: K; of: T }> | undefined
  error: Error | undefined
  isLoading: boolean
}>

export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>): Loaded<T>
export function useLoaded<T, K>(read: (signal: AbortSignal, key: K) => Promise<T>, firstKey: K): Loaded<T, K>

/**
 * Loads on mount and on request, and keeps the old value until the new one arrives. A load cancels the one before it,
 * so a slow answer never replaces a later one.
 */
export function useLoaded<T, K>(
  read: (signal: AbortSignal, key: K | undefined) => Promise<T>,
  firstKey?: K,
): Loaded<T, K | undefined> {
  const [state, setState] = useState<State<T, K | undefined>>({
    key: firstKey,
    value: undefined,
    error: undefined,
    isLoading: true,
  })
  // The state of the last render may be older.
  const latest = useRef(state)
  const last = useRef<Readonly<{ controller: AbortController; again(): Promise<void> }>>(undefined)
  const change = (changed: Partial<State<T, K | undefined>>): void => {
    latest.current = { ...latest.current, ...changed }
    setState(latest.current)
  }
  const run = async (key: K | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<void> => {
    last.current?.controller.abort()
    const controller = new AbortController()
    const { signal } = controller
    last.current = { controller, again: () => run(key, work) }
    change({ key, isLoading: true })
    try {
      const value = await work(signal)
      if (!signal.aborted) change({ value: { key, of: value }, error: undefined, isLoading: false })
    } catch (error) {
      const { value } = latest.current
      if (!signal.aborted) change({ key: value ? value.key : key, error: error as Error, isLoading: false })
    }
  }
  const load = (key: K | undefined): Promise<void> => run(key, (signal) => read(signal, key))
  useEffect(() => {
    void load(firstKey)
    return () => last.current?.controller.abort()
  }, [])

  const { key, value, error, isLoading } = state
  return {
    key,
    value: value?.of,
    error,
    isLoading,
    isStale: isLoading && value !== undefined && value.key !== key,
    load,
    reload: () => load(latest.current.key),
    retry: async () => last.current?.again(),
    async extend(readMore) {
      const { value: before } = latest.current
      if (before === undefined || latest.current.isLoading) return
      await run(before.key, (signal) => readMore((latest.current.value ?? before).of, signal))
    },
    update(changeValue) {
      const { value: before } = latest.current
      if (before) change({ value: { ...before, of: changeValue(before.of) } })
      if (latest.current.isLoading) void last.current?.again()
    },
  }
}
