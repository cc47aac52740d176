/** SQLite for Kysely, over the one connection of a driver. */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Dialect, Driver, LimitNode, SelectModifierNode } from 'kysely'
import type { SqliteDriver } from './driver.ts'
import { Session } from './session.ts'

/** @param isRevocation its transactions may use the space that is reserved for revocations */
export const dialectOf = (driver: SqliteDriver, { isRevocation }: Readonly<{ isRevocation: boolean }>): Dialect => ({
  createDriver: () => (isRevocation ? forRevocations(driver) : driver),
  createAdapter: () => new TransactionalAdapter(),
  createQueryCompiler: () => new QueryCompiler(),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
})

class TransactionalAdapter extends SqliteAdapter {
  // SQLite supports this, though Kysely's adapter says no: an interrupted migration leaves nothing.
  override get supportsTransactionalDdl() {
    return true
  }

  // The driver queues transactions itself; reads outside of them need not wait.
  override get supportsMultipleConnections() {
    return true
  }
}

class QueryCompiler extends SqliteQueryCompiler {
  // SQLite has no row locks and needs none, with one writer at a time.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }

  // SQLite plans a query for the value of a bare `limit ?`, and prepares it again for every execution.
  protected override visitLimit(node: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(node.limit)
    this.append(' as integer)')
  }
}

const forRevocations = (driver: SqliteDriver): Driver => ({
  init: () => driver.init(),
  acquireConnection: async () => new Session(driver, true),
  beginTransaction: (connection) => driver.beginTransaction(connection),
  commitTransaction: (connection) => driver.commitTransaction(connection),
  rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
  releaseConnection: () => driver.releaseConnection(),
  destroy: () => driver.destroy(),
})
