/** Reads that many callers ask at once, answered by one statement where the round trip is what costs. */
import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** A column of `readMany`: whether the server is a standby, which lags behind what is revoked. */
export const readOnly = sql<string>`current_setting('transaction_read_only')`.as('read_only')

/** A row of a batch, and which question it answers, counted from 1. */
export type Positioned<R> = R & Readonly<{ position: number; read_only: string }>

/** A read of one row per question. */
export type BatchedRead<Q, R> = Readonly<{
  /** Answers one question: on the embedded database, where there is no round trip to save. */
  readOne: (db: Queries, question: Q) => Promise<R[]>
  /** Answers many in one statement: on PostgreSQL, which refuses rows of a standby. */
  readMany: (db: Queries, questions: readonly Q[]) => Promise<Positioned<R>[]>
  /** Whether a question has the same answer as the one asked just before it, and shares it. Absent: never. */
  isSame?: (one: Q, other: Q) => boolean
}>
