/** A database whose statements a Kysely plugin sees, prepared ones too. */
import { createQueryId } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import type { Database, Queries, Transaction } from '../../../src/database/database.ts'

/** The same database, seen by the plugin. */
export function withPlugin(db: Database, plugin: KyselyPlugin): Database {
  return {
    ...watched(db, plugin),
    isTransaction: false,
    transaction: (work, contention) => db.transaction((trx) => work(transactionWithPlugin(trx, plugin)), contention),
    ping: () => db.ping(),
    serverTimeMs: () => db.serverTimeMs(),
    pools: () => db.pools(),
    close: () => db.close(),
  }
}

function transactionWithPlugin(trx: Transaction, plugin: KyselyPlugin): Transaction {
  return { ...watched(trx, plugin), isTransaction: true }
}

function watched(queries: Queries, plugin: KyselyPlugin): Omit<Queries, 'isTransaction'> {
  const kysely = queries.kysely.withPlugin(plugin)
  const executor = kysely.getExecutor()
  const self: Omit<Queries, 'isTransaction'> = {
    dialect: queries.dialect,
    kysely,
    query: kysely,
    async runPrepared(statement, parameters) {
      const id = createQueryId()
      const compiled = executor.compileQuery(executor.transformQuery(statement.query, id), id)
      return (await kysely.executeQuery<any>({ ...compiled, parameters })).rows
    },
    readBatched: async ({ readOne }, question) =>
      (await readOne({ ...self, isTransaction: queries.isTransaction }, question))[0],
  }
  return self
}
