/** Pages of a list that is newest first. A cursor is the time and the id of the last row of its page. */
import { Type } from 'typebox'

/** The pattern of `cursor`. */
export const CURSOR = String.raw`^\d{1,15}_[\w-]{1,40}$`
/** The pattern of `limit`. */
export const PAGE_LIMIT = String.raw`^([1-9]\d?|100)$`

const DEFAULT_LIMIT = 50

/** The row that a page ended with. */
export type Position = Readonly<{ atMs: number; id: string }>

/** The query fields of every list with pages. */
export const pageQuery = {
  cursor: Type.Optional(Type.String({ pattern: CURSOR, description: '`nextCursor` of the page before.' })),
  limit: Type.Optional(
    Type.String({ pattern: PAGE_LIMIT, description: `How many, 1 to 100; ${DEFAULT_LIMIT} when absent.` }),
  ),
}

/** Reads the query fields, once they are validated. */
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

/** `nextCursor` of a page that ended there; null: there are no more. */
export function toCursor(position: Position | undefined): string | null {
  return position === undefined ? null : `${position.atMs}_${position.id}`
}
