import { createQueryId } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import type { Database, Queries, Transaction } from '../../../src/database/database.ts'

/** The same database with a Kysely plugin that sees every statement, prepared ones too. */
export function withPlugin(db: Database, plugin: KyselyPlugin): Database {
  return {
    ...watched(db, plugin),
    isTransaction: false,
    transaction: (work, options) => db.transaction((trx) => work(transactionWithPlugin(trx, plugin)), options),
    noteReads: (run) => db.noteReads(run),
    pendingSync: (of) => db.pendingSync(of),
    ping: () => db.ping(),
    serverTimeMs: () => db.serverTimeMs(),
    space: () => db.space(),
    damage: () => db.damage(),
    pools: () => db.pools(),
    refuseWaiting: () => db.refuseWaiting(),
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
      const values = new Map(statement.parameters.map((placeholder, index) => [placeholder, parameters[index]]))
      const node = executor.transformQuery(replaced(statement.query, values), id)
      return (await kysely.executeQuery<any>(executor.compileQuery(node, id))).rows
    },
    readBatched: async ({ readOne }, question) => (await readOne(self, question))[0],
  }
  return self
}

// The plugin sees values, not the placeholders of a prepared statement.
function replaced<T>(node: T, values: ReadonlyMap<unknown, unknown>): T {
  if (typeof node !== 'object' || node === null) return node
  if (values.has(node)) return values.get(node) as T
  if (Array.isArray(node)) return node.map((item) => replaced(item, values)) as T
  if (Object.getPrototypeOf(node) !== Object.prototype) return node
  return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, replaced(item, values)])) as T
}
