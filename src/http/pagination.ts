/** Cursor pagination of newest-first lists. A cursor is the time and the id of its page's last row. */
import { Type } from 'typebox'
import type { Position } from '../lib/position.ts'

/** With a complete id: what is left of a cut cursor would point elsewhere. */
export const CURSOR = String.raw`^\d{1,15}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$`
/** For feeds that are read in the order of their positions. */
export const POSITION_CURSOR = String.raw`^\d{1,15}$`
export const PAGE_LIMIT = String.raw`^([1-9]\d?|100)$`

const DEFAULT_LIMIT = 50
/** As in `PAGE_LIMIT`. */
export const MAX_PAGE = 100

export const pageQuery = {
  cursor: Type.Optional(Type.String({ pattern: CURSOR, description: '`nextCursor` of the previous page.' })),
  limit: Type.Optional(
    Type.String({ pattern: PAGE_LIMIT, description: `The page size, 1 to 100. Default: ${DEFAULT_LIMIT}.` }),
  ),
}

/** Parses the query fields; the schemas must have validated them. */
export function readPage({
  cursor,
  limit,
}: Readonly<{ cursor?: string; limit?: string }>): Readonly<{ after: Position | undefined; limit: number }> {
  return { after: cursor === undefined ? undefined : fromCursor(cursor), limit: Number(limit ?? DEFAULT_LIMIT) }
}

function fromCursor(cursor: string): Position {
  const end = cursor.indexOf('_')
  return { atMs: Number(cursor.slice(0, end)), id: cursor.slice(end + 1) }
}

/** The `nextCursor` of a page that ends at this row; null on the last page. */
export function toCursor(position: Position | undefined): string | null {
  return position === undefined ? null : `${position.atMs}_${position.id}`
}
