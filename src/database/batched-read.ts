import { sql } from 'kysely'
import type { PreparedQueries, Queries } from './database.ts'

/** Column of `readMany`: whether the server is a standby, which may lag behind a revocation. */
export const readOnly = sql<string>`current_setting('transaction_read_only')`.as('read_only')

/** `position`: the question that the row answers, from 1. */
export type Positioned<R> = R & Readonly<{ position: number; read_only: string }>

export type BatchedRead<Q, R> = Readonly<{
  /** For the embedded database, which runs all of a turn in one read transaction: a single `prepared` statement. */
  readOne: (db: PreparedQueries, question: Q) => Promise<R[]>
  /** For PostgreSQL; rows from a standby are rejected. */
  readMany: (db: Queries, questions: readonly Q[]) => Promise<Positioned<R>[]>
  /** Whether a question can share the answer of the question just before it. Absent: never. */
  isSame?: (one: Q, other: Q) => boolean
}>
