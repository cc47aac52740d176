import type { BatchedRead } from '../../../src/database/batched-read.ts'
import type { Database, Queries } from '../../../src/database/database.ts'

/** Runs statements on a connection that PostgreSQL reserves for batched reads. */
export async function onGuardConnection<T>(database: Database, run: (db: Queries) => Promise<T>): Promise<T> {
  const results: T[] = []
  const read: BatchedRead<null, never> = {
    readOne: async () => [],
    readMany: async (db) => {
      results.push(await run(db))
      return []
    },
  }
  await database.readBatched(read, null)
  return results[0] as T
}
