import MiniSearch from 'minisearch'
import { laxOptions, searchOptions } from './search-options.ts'
import type { Found, Section } from './search-options.ts'

export type SearchIndex = MiniSearch<Section>

/**
 * Loads the index once, and again after a failure.
 * @param address its file
 */
export function createIndexLoader(address: string): () => Promise<SearchIndex> {
  let loading: Promise<SearchIndex> | undefined
  const load = async (): Promise<SearchIndex> => {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${address}: ${response.status}`)
    return readIndex(await response.text())
  }
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** @param written by the build */
export const readIndex = (written: string): Promise<SearchIndex> => MiniSearch.loadJSONAsync(written, searchOptions)

export function search(index: SearchIndex, query: string): Found[] {
  const found = index.search(query)
  return (found.length > 0 ? found : index.search(query, laxOptions)).slice(0, 12) as unknown as Found[]
}

/**
 * Where a heading of the API reference is now. Its operations once were one page, and keep their anchors.
 * @param anchor without `#`
 */
export function addressOfAnchor(index: SearchIndex, anchor: string): string | undefined {
  const all = index.search(MiniSearch.wildcard).map(({ id }) => String(id))
  return all.find((id) => id.startsWith('/docs/api/') && (id.endsWith(`#${anchor}`) || id.endsWith(`/${anchor}`)))
}
