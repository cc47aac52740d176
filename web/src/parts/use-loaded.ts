import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { currentUserId } from '../session.ts'
import { change, queryOf, run, watch } from './query-cache.ts'
import type { Query } from './query-cache.ts'

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

type Keyed<T, K> = Readonly<{ key: K; query: Query<T> }>
type State<T, K> = Readonly<{
  asked: Keyed<T, K>
  /** The last one with a value, which is shown while `asked` has none. */
  before: Keyed<T, K> | undefined
}>

export function useLoaded<T>(name: string, read: (signal: AbortSignal) => Promise<T>): Loaded<T>
export function useLoaded<T, K>(
  name: string,
  read: (signal: AbortSignal, key: K) => Promise<T>,
  firstKey: K,
): Loaded<T, K>

/**
 * Loads on mount and on request, and keeps the old value until the new one arrives.
 * @param name components with the same name and key share the request and the value, so they must read the same
 */
export function useLoaded<T, K>(
  name: string,
  read: (signal: AbortSignal, key: K | undefined) => Promise<T>,
  firstKey?: K,
): Loaded<T, K | undefined> {
  type Key = K | undefined
  const [, render] = useState({})
  // With the user: nothing that one user loaded is shown to another who signs in later.
  const open = (key: Key): Keyed<T, Key> => ({ key, query: queryOf<T>(JSON.stringify([currentUserId(), name, key])) })
  // A ref, because callers act on it again before the next rendering.
  const state = useRef<State<T, Key>>(undefined)
  const { asked, before } = (state.current ??= { asked: open(firstKey), before: undefined })
  const latest = (): State<T, Key> => state.current ?? { asked, before }
  const shown = (): Keyed<T, Key> | undefined => (latest().asked.query.value ? latest().asked : latest().before)
  const keyNow = (): Key => (latest().asked.query.isLoading ? latest().asked : (shown() ?? latest().asked)).key
  const ask = (next: Keyed<T, Key>): void => {
    state.current = { asked: next, before: shown() }
    render({})
  }
  // Before anything can settle that this rendering does not show.
  useLayoutEffect(() => {
    const { query, key } = asked
    const end = watch(query, () => render({}))
    const isNew = query.isLoading && !query.controller
    if (isNew) void run(query, (signal) => read(signal, key))
    return end
  }, [asked])

  const load = (key: Key): Promise<void> => {
    const next = open(key)
    if (next.query !== latest().asked.query) ask(next)
    return run(next.query, (signal) => read(signal, key))
  }
  const { error, isLoading } = asked.query
  const value = shown()
  return {
    key: keyNow(),
    value: value?.query.value?.of,
    error,
    isLoading,
    isStale: isLoading && value !== undefined && JSON.stringify(value.key) !== JSON.stringify(asked.key),
    load,
    reload: () => load(keyNow()),
    retry: () => latest().asked.query.again(),
    async extend(readMore) {
      const from = shown()
      if (!from || latest().asked.query.isLoading) return
      if (from !== latest().asked) ask(from)
      await run(from.query, (signal) => readMore((from.query.value as { of: T }).of, signal))
    },
    update(changeValue) {
      const { query } = shown() ?? {}
      if (query?.value) change(query, { value: { of: changeValue(query.value.of) } })
      render({})
      if (latest().asked.query.isLoading) void latest().asked.query.again()
    },
  }
}
