/** The statements that store functions make, recorded by running them, and their query plans. */
import { CompiledQuery, createQueryId } from 'kysely'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Database, Transaction } from '../../../src/database/database.ts'
import { withPlugin } from './with-plugin.ts'

/** The tables that grow with use. Scanning one is a mistake, however few rows it has at first. */
const growing = new Set([
  'users',
  'api_keys',
  'key_daily_uses',
  'key_makers',
  'key_amounts',
  'revoked_keys',
  'magic_links',
  'queued_mails',
  'spelled_mailboxes',
  'mail_buttons',
  'mail_pauses',
  'security_events',
  'sign_ins',
  'identities',
  'spent_credentials',
  'rate_limit_windows',
  'rate_limit_buckets',
  'payment_links',
  'exchange_rates',
  'idempotency_keys',
  'account_changes',
])

class Undone extends Error {}

/** Runs `work` in a transaction that is rolled back, and returns its statements. */
export function statementsOf(db: Database, work: (trx: Transaction) => Promise<unknown>): Promise<CompiledQuery[]> {
  return recorded(db, async (recording) => {
    try {
      await recording.transaction(async (trx) => {
        await work(trx)
        throw new Undone()
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
  })
}

export async function recorded(
  db: Database,
  work: (recording: Database) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = []
  const nodeOf = new Map<string, RootOperationNode>()
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      nodeOf.set(queryId.queryId, node)
      return node
    },
    async transformResult({ result, queryId }) {
      // A statement that is only compiled, to be prepared, has no result.
      const node = nodeOf.get(queryId.queryId)
      if (node !== undefined) nodes.push(node)
      return result
    },
  }
  await work(withPlugin(db, recorder))
  const statements = nodes.map((node) => db.query.getExecutor().compileQuery(node, createQueryId()))
  // Parts of a statement, such as a subquery, are recorded as statements of their own too.
  return [...new Map(statements.map((statement) => [statement.sql, statement])).values()]
}

/** The full scans of growing tables or their indexes in the plan of a statement; empty: none. */
export async function wholeReadsOf(db: Database, query: CompiledQuery, onPostgres: boolean): Promise<string[]> {
  const rows = await explain(db, query, onPostgres)
  if (onPostgres) return wholeReadsIn(rows[0]['QUERY PLAN'][0].Plan)
  // Sorting before LIMIT also reads everything that the index found.
  const isPart = / limit /.test(query.sql)
  return rows
    .map(({ detail }) => detail as string)
    .filter((detail) => growing.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '') || (isPart && /TEMP B-TREE/.test(detail)))
}

/** The names of the indexes in the plan of a statement. */
export async function indexesOf(db: Database, query: CompiledQuery, onPostgres: boolean): Promise<string[]> {
  const plan = JSON.stringify(await explain(db, query, onPostgres))
  const name = onPostgres ? /"Index Name":"(\w+)"/g : /USING (?:COVERING )?INDEX (\w+)/g
  return [...new Set([...plan.matchAll(name)].map(([, index = '']) => index))]
}

let explained = 0

async function explain(db: Database, query: CompiledQuery, onPostgres: boolean): Promise<any[]> {
  const how = onPostgres ? 'explain (format json)' : 'explain query plan'
  // A new text each time: a prepared EXPLAIN of SQLite does not notice that an index was dropped.
  const text = `${how} ${query.sql} -- ${(explained += 1)}`
  const { rows } = await db.kysely.executeQuery<any>(CompiledQuery.raw(text, [...query.parameters]))
  return rows
}

type PlanNode = Readonly<{
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: readonly PlanNode[]
}>

function wholeReadsIn(node: PlanNode): string[] {
  const { 'Node Type': type, Plans: inner = [] } = node
  const table = node['Relation Name'] ?? ''
  // An index scan without a condition reads the whole index.
  const isWhole = type === 'Seq Scan' || (/Index/.test(type) && node['Index Cond'] === undefined)
  const isAbout = type === 'Bitmap Index Scan' || growing.has(table)
  const own = isWhole && isAbout ? [`${type} of ${table || node['Index Name']}`] : []
  return [...own, ...inner.flatMap(wholeReadsIn)]
}
