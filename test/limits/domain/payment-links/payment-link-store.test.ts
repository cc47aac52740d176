import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import {
  countPaymentLinks,
  findPaymentLinks,
  MAX_LINKS_READ,
  paymentLinkStatuses,
  statusOfPaymentLink,
} from '../../../../src/domain/payment-links/payment-link-store.ts'
import type { PaymentLink, PaymentLinkQuery } from '../../../../src/domain/payment-links/payment-link-store.ts'
import { insertUser } from '../../../../src/domain/users/user-store.ts'
import { clusterUrl, openNewDatabase } from '../../../support/database/database.ts'
import type { Position } from '../../../../src/lib/position.ts'
import { userRow } from '../../../support/accounts/rows.ts'
import type { OpenedDatabase } from '../../../support/database/database.ts'
import { addLinks } from '../../../support/database/account-rows.ts'
import { recorded } from '../../../support/database/query-plans.ts'

const NOW_MS = 1_800_000_000_000
const FULL = 100_000
const onPostgres = clusterUrl !== undefined
/** The worst case for a page: of the requested statuses only the oldest link matches. */
const accounts = {
  full: {
    count: FULL,
    deactivatedAt: 'case when n = 1 then null else 1 end',
    reference: "case n % 100 when 1 then 'RARE' else 'SAME' end",
  },
  beyond: { count: (onPostgres ? 10 : 2) * FULL, deactivatedAt: 'case when n = 1 then null else 1 end' },
  expired: { count: 3 * MAX_LINKS_READ, expiresAt: 'case when n = 1 then null else 1 end' },
  mixed: {
    count: 2 * MAX_LINKS_READ + 500,
    deactivatedAt: 'case when n % 7 = 0 then 1 end',
    expiresAt: 'case when n % 5 = 0 then 1 end',
    apiKeyId: "case when n % 11 = 0 then 'waits' when n % 13 = 0 then 'kept' end",
    claimedAt: 'case when n > 1000 then 1 end',
    reference: "'R' || (n % 3)",
  },
} as const

let database: OpenedDatabase
before(async () => {
  database = await openNewDatabase()
  const { db } = database
  for (const [id, { count, ...shape }] of Object.entries(accounts)) {
    await db.transaction((trx) => insertUser(trx, userRow(id)))
    await addLinks(db, id, count, shape)
  }
  const key = { user_id: 'mixed', name: 'Key', created_at_ms: 1 }
  await db.query
    .insertInto('api_keys')
    .values([
      { ...key, id: 'waits', key_id: 'w', secret_hash: 'w', awaits_owner_at_ms: 1 },
      { ...key, id: 'kept', key_id: 'k', secret_hash: 'k' },
    ] as never)
    .execute()
  await db.query
    .insertInto('key_makers')
    .values({ id: 'm', user_id: 'mixed', key_id: 'kept', how: 'kept', maker_key_id: null, sign_in_id: 's', at_ms: 1 })
    .execute()
  if (onPostgres) await sql`analyze payment_links`.execute(db.query)
})
after(() => database.close())

const query = (more: Partial<PaymentLinkQuery>): PaymentLinkQuery => ({
  after: undefined,
  limit: 100,
  nowMs: NOW_MS,
  status: undefined,
  reference: undefined,
  search: undefined,
  ...more,
})
const find = (id: string, more: Partial<PaymentLinkQuery> = {}) => findPaymentLinks(database.db, id, query(more))

/** All links page by page, with the number of pages. */
async function walk(
  id: string,
  more: Partial<PaymentLinkQuery> = {},
): Promise<Readonly<{ links: PaymentLink[]; pages: number }>> {
  const links: PaymentLink[] = []
  let next: Position | undefined
  for (let pages = 1; ; pages += 1) {
    const page = await find(id, { ...more, after: next })
    assert.ok(page.links.length <= (more.limit ?? 100))
    links.push(...page.links)
    if (page.next === undefined) return { links, pages }
    next = page.next
  }
}

/** How many rows of payment links, or entries of their indexes, a PostgreSQL statement reads. */
async function rowsRead(statement: CompiledQuery): Promise<number> {
  const { rows } = await database.db.kysely.executeQuery<any>(
    CompiledQuery.raw(`explain (analyze, format json) ${statement.sql}`, [...statement.parameters]),
  )
  const count = (node: any): number => {
    const own =
      node['Node Type'].endsWith('Scan') && /payment_links/.test(`${node['Relation Name']} ${node['Index Name']}`)
    const looked = own ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0
    return looked + (node.Plans ?? []).reduce((sum: number, inner: any) => sum + count(inner), 0)
  }
  return count(rows[0]['QUERY PLAN'][0].Plan)
}

const deep = { atMs: 1_700_000_000_000 + FULL / 2, id: 'z' }
const forms = [undefined, ...paymentLinkStatuses].flatMap((status) =>
  [undefined, 'SAME', 'RARE'].flatMap((reference) =>
    [undefined, 'nothing'].flatMap((search) =>
      [undefined, deep].map((behind) => ({ status, reference, search, after: behind })),
    ),
  ),
)

describe('a page of each status, with and without reference, search and cursor,', () => {
  test(
    'reads a bounded number of links, of 100,000 and of a million',
    { skip: !onPostgres && 'SQLite does not count them' },
    async () => {
      for (const id of ['full', 'beyond']) {
        for (const form of forms) {
          for (const statement of await recorded(database.db, (db) => findPaymentLinks(db, id, query(form)))) {
            const looked = await rowsRead(statement)
            // An index entry and its row.
            assert.ok(looked <= 2 * MAX_LINKS_READ, `${id} ${JSON.stringify(form)}: ${looked} by ${statement.sql}`)
          }
        }
      }
    },
  )

  test('is one index range without sorting', { skip: onPostgres && 'rows are counted instead' }, async () => {
    for (const form of forms) {
      const statements = await recorded(database.db, (db) => findPaymentLinks(db, 'full', query(form)))
      assert.equal(statements.length, form.status === undefined && form.search === undefined ? 1 : 2)
      for (const { sql: text, parameters } of statements) {
        const { rows } = await database.db.kysely.executeQuery<any>(
          CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
        )
        const [plan = '', ...more] = rows
          .map(({ detail }) => detail as string)
          .filter((detail) => /payment_links |B-TREE/.test(detail))
        assert.deepEqual(more, [], text)
        const index = form.reference === undefined ? 'payment_links_by_user' : 'payment_links_by_reference'
        assert.match(plan, new RegExp(`^SEARCH payment_links USING (COVERING )?INDEX ${index} `))
        const position = form.reference === undefined ? '(created_at_ms,id)' : '(reference,created_at_ms,id)'
        const marks = position.replaceAll(/\w+/g, '?')
        assert.ok(plan.endsWith(` (user_id=? AND ${position}>${marks} AND ${position}<${marks})`), plan)
      }
    }
  })

  test(
    'takes about as long with 200,000 links as with a few thousand',
    { skip: onPostgres && 'rows are counted instead' },
    async () => {
      const shortestOf = async (id: string, more: Partial<PaymentLinkQuery>) => {
        let shortestMs = Infinity
        for (let n = 0; n < 20; n += 1) {
          const fromMs = performance.now()
          await find(id, more)
          shortestMs = Math.min(shortestMs, performance.now() - fromMs)
        }
        return shortestMs
      }
      // Reading all would take 60 times as long.
      const asked = [{ search: 'nothing' }, ...paymentLinkStatuses.map((status) => ({ status }))]
      for (const { search, status } of asked as Partial<PaymentLinkQuery>[]) {
        const few = await shortestOf('expired', { search, status: status === 'INACTIVE' ? 'EXPIRED' : status })
        const many = await shortestOf('beyond', { search, status })
        assert.ok(many < 20 * few, `${status ?? search}: ${many} ms, with few links ${few} ms`)
      }
    },
  )
})

test('a walk whose pages read a thousand links each finds the one match at the end', async () => {
  for (const [reference, count] of [
    [undefined, FULL],
    ['RARE', FULL / 100],
  ] as const) {
    const { links, pages } = await walk('full', { status: 'ACTIVE', reference })
    assert.deepEqual(
      links.map(({ id }) => id),
      ['full-10000001'],
    )
    assert.equal(pages, count / MAX_LINKS_READ + 1)
  }
  assert.deepEqual(
    (await walk('expired', { status: 'ACTIVE' })).links.map(({ id }) => id),
    ['expired-10000001'],
  )
  assert.equal((await walk('expired', { status: 'EXPIRED' })).links.length, accounts.expired.count - 1)
})

test('a search reads a thousand links each page, and finds its one match among 100,000', async () => {
  const { links, pages } = await walk('full', { search: '10000001' })
  assert.deepEqual(
    links.map(({ id }) => id),
    ['full-10000001'],
  )
  assert.equal(pages, FULL / MAX_LINKS_READ + 1)
})

test('a walk by status and reference returns the matches of an unfiltered walk, in its order, with any page size, held links included', async () => {
  const { links: all } = await walk('mixed')
  assert.equal(all.length, accounts.mixed.count)
  assert.ok(all.filter(({ isHeld }) => isHeld).length > 500)
  for (const status of paymentLinkStatuses) {
    for (const reference of [undefined, 'R1']) {
      const right = all.filter(
        (link) =>
          statusOfPaymentLink(link, NOW_MS) === status && (reference === undefined || link.reference === reference),
      )
      assert.ok(right.length > 10, status)
      for (const limit of [7, 100]) {
        const { links } = await walk('mixed', { status, reference, limit })
        assert.deepEqual(links, right, `${status} ${reference} by ${limit}`)
        const found = await walk('mixed', { status, reference, limit, search: '7' })
        const searched = right.filter(({ id }) => id.includes('7'))
        assert.deepEqual(found.links, searched, `${status} ${reference} by ${limit}, searched`)
      }
    }
  }
})

test('counting stops at the account’s limit and uses the index', async () => {
  assert.equal(await countPaymentLinks(database.db, 'beyond', 0, FULL), FULL)
  assert.equal(await countPaymentLinks(database.db, 'full', 1_700_000_000_001 + FULL - 5, FULL), 5)
  if (!onPostgres) return
  const [statement] = await recorded(database.db, (db) => countPaymentLinks(db, 'beyond', 0, 1000))
  assert.ok(statement && (await rowsRead(statement)) <= 1000)
})
