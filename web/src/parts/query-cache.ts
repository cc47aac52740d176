/**
 * What this page has loaded, by id: components that use the same id share one request and one value. Imports nothing of the
 * browser, so that a test can load it.
 */
export type Query<T> = {
  value: Readonly<{ of: T }> | undefined
  error: Error | undefined
  isLoading: boolean
  /** Of the load in flight. */
  controller: AbortController | undefined
  /** Repeats the last load. */
  again: () => Promise<void>
  readonly watchers: Set<() => void>
}

const queries = new Map<string, Query<unknown>>()

export function queryOf<T>(id: string): Query<T> {
  const known = queries.get(id)
  if (known) return known as Query<T>
  const query: Query<T> = {
    value: undefined,
    error: undefined,
    isLoading: true,
    controller: undefined,
    again: async () => {},
    watchers: new Set(),
  }
  queries.set(id, query)
  return query
}

/** Without watchers a query is cancelled and forgotten: what is shown later is loaded again. */
export function watch<T>(query: Query<T>, watcher: () => void): () => void {
  query.watchers.add(watcher)
  return () => {
    query.watchers.delete(watcher)
    // Later: the rendering that ends one watch may begin another.
    queueMicrotask(() => {
      if (query.watchers.size > 0) return
      query.controller?.abort()
      query.controller = undefined
      for (const [id, each] of queries) if (each === query) queries.delete(id)
    })
  }
}

/** Cancels the load before it, so a slow answer never replaces a later one; keeps the value until the new one arrives. */
export async function run<T>(query: Query<T>, read: (signal: AbortSignal) => Promise<T>): Promise<void> {
  query.controller?.abort()
  const controller = new AbortController()
  const { signal } = controller
  change(query, { controller, isLoading: true, again: () => run(query, read) })
  try {
    const value = await read(signal)
    if (!signal.aborted) settle(query, { value: { of: value }, error: undefined })
  } catch (error) {
    if (!signal.aborted) settle(query, { error: error as Error })
  }
}

const settle = <T>(query: Query<T>, outcome: Partial<Query<T>>): void =>
  change(query, { ...outcome, controller: undefined, isLoading: false })

export function change<T>(query: Query<T>, changed: Partial<Query<T>>): void {
  Object.assign(query, changed)
  for (const watcher of query.watchers) watcher()
}
