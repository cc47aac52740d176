/** What an app asks for, in the query of the page. It is kept for a sign-in, whose link opens another tab. */
import { ASKED_BY_APP, storage } from '../../storage.ts'

/** Forgotten after this time: the person has given up. */
const KEPT_MS = 20 * 60_000

type Kept = Readonly<{ query: string; atMs: number }>

/** Empty if no app asks. */
export function askedQuery(): string {
  const query = location.search.slice(1)
  if (query !== '') {
    storage.write(ASKED_BY_APP, JSON.stringify({ query, atMs: Date.now() } satisfies Kept))
    return query
  }
  try {
    const kept = JSON.parse(storage.read(ASKED_BY_APP) ?? '') as Kept
    return Date.now() - kept.atMs < KEPT_MS ? kept.query : ''
  } catch {
    return ''
  }
}

export const forgetQuery = (): void => storage.delete(ASKED_BY_APP)
