import type { CompiledQuery, QueryResult } from 'kysely'

export const isRowChange = ({ kind }: CompiledQuery['query']): boolean =>
  kind === 'InsertQueryNode' || kind === 'UpdateQueryNode' || kind === 'DeleteQueryNode'

export function mayHaveChanged(
  query: CompiledQuery['query'],
  { rows, numAffectedRows = 0n }: QueryResult<never>,
): boolean {
  if (query.kind === 'SelectQueryNode') return false
  return !isRowChange(query) || rows.length > 0 || numAffectedRows > 0n
}
