/**
 * Fills an empty database (embedded or PostgreSQL, by `DATABASE_URL`) with accounts, for example `npm run seed --
 * --users 1000000 --keys 3000000`.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config/load-config.ts'
import type { Tables } from '../src/database/tables/tables.ts'
import { seedRows } from './seed-rows.ts'
import type { SeedSize, WorkingKey } from './seed-rows.ts'
import { openTarget } from './seed-target.ts'
import type { SeedTarget, TableSize } from './seed-target.ts'

/** Referenced tables first. */
const tables = [
  'users',
  'api_keys',
  'key_makers',
  'key_amounts',
  'key_daily_uses',
  'sign_ins',
  'magic_links',
  'queued_mails',
  'mail_buttons',
  'mail_pauses',
  'security_events',
  'identities',
  'spent_credentials',
] as const satisfies readonly (keyof Tables)[]

/** Rows per write. */
const BATCH = 10_000

export type Seeded = Readonly<{ rows: number; working: WorkingKey | undefined }>

/**
 * @param progress gets the numbers of finished users and rows
 * @throws when a table is not empty; nothing is written then
 */
export async function seed(
  target: SeedTarget,
  size: SeedSize,
  progress: (users: number, rows: number) => void = () => {},
): Promise<Seeded> {
  for (const table of tables) {
    if (!(await target.isEmpty(table))) throw new Error(`the database is not empty: ${table} has rows`)
  }
  const waiting = new Map<string, Record<string, string | number | null>[]>(tables.map((table) => [table, []]))
  let rows = 0
  const rowsOf = seedRows(size, (table, row) => {
    waiting.get(table)?.push({ ...row })
    rows += 1
  })
  const flush = async (atLeast: number) => {
    for (const [table, some] of waiting) {
      // Users first, however few: other rows refer to them.
      if (some.length >= atLeast || (table === 'users' && isAnyFull(waiting, atLeast))) {
        await target.write(table, some)
        waiting.set(table, [])
      }
    }
  }
  for (;;) {
    const { value, done } = rowsOf.next()
    if (done) {
      await flush(1)
      await target.finish()
      return { rows, working: value }
    }
    if (!isAnyFull(waiting, BATCH)) continue
    await flush(BATCH)
    progress(value, rows)
  }
}

const isAnyFull = (waiting: ReadonlyMap<string, readonly unknown[]>, atLeast: number): boolean =>
  waiting.values().some((some) => some.length >= atLeast)

export async function sizesOf(target: SeedTarget): Promise<TableSize[]> {
  const sizes: TableSize[] = []
  for (const table of tables) sizes.push(await target.sizeOf(table))
  return sizes
}

const inMegabytes = (bytes: number | null) => (bytes === null ? '?' : `${(bytes / 1e6).toFixed(1)} MB`)

const inColumns = (...cells: readonly (string | number)[]) =>
  cells.map((cell, n) => (n === 0 ? String(cell).padEnd(20) : String(cell).padStart(14))).join('')

function reportOf(sizes: readonly TableSize[]): string {
  const sum = (pick: (size: TableSize) => number | null) => sizes.reduce((total, size) => total + (pick(size) ?? 0), 0)
  const all = {
    table: 'all',
    rows: sum(({ rows }) => rows),
    tableBytes: sum(({ tableBytes }) => tableBytes),
    indexBytes: sum(({ indexBytes }) => indexBytes),
  }
  return [
    inColumns('table', 'rows', 'table', 'indexes'),
    ...[...sizes, all].map(({ table, rows, tableBytes, indexBytes }) =>
      inColumns(table, rows, inMegabytes(tableBytes), inMegabytes(indexBytes)),
    ),
  ].join('\n')
}

function count(text: string, option: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${option} must be a whole number`)
  return value
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '10000' },
      keys: { type: 'string' },
      seed: { type: 'string', default: '1' },
      now: { type: 'string', default: String(Date.now()) },
    },
  })
  const users = count(values.users, 'users')
  const keys = values.keys === undefined ? users * 3 : count(values.keys, 'keys')
  if (users === 0 && keys > 0) throw new Error('--keys requires --users: every key belongs to a user')
  const size = { users, keys, seed: count(values.seed, 'seed'), nowMs: count(values.now, 'now') }

  const { DATABASE_URL, DATA_DIR } = process.env
  const config = loadConfig({ DATABASE_URL, DATA_DIR }, () => randomBytes(32).toString('hex'))
  const target = await openTarget(config.database)
  try {
    const startedAtMs = performance.now()
    const seconds = () => (performance.now() - startedAtMs) / 1000
    const tell = (done: number, rows: number) =>
      process.stderr.write(
        `\r${((done / users) * 100).toFixed(1)} %  ${rows} rows  ${Math.round(rows / seconds())} rows/s `,
      )
    const { rows, working } = await seed(target, size, tell)
    process.stderr.write('\n')
    console.log(`${rows} rows in ${seconds().toFixed(1)} s: ${Math.round(rows / seconds())} rows/s\n`)
    console.log(reportOf(await sizesOf(target)))
    if (working !== undefined) console.log(`\nA valid key: ${working.keyId} ${working.keySecret}`)
  } finally {
    await target.close()
  }
}

if (import.meta.main) {
  main().catch((error: Error) => {
    console.error(`Not seeded: ${error.message}`)
    process.exitCode = 1
  })
}
