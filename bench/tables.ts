/** The rows that each contestant starts with: the same users, keys and links. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** Number of users, keys and tokens in rotation; each user has one key. */
export const ROTATION = 1000
/** Links available to one contestant in one run. */
export const LINKS = 300_000
/** A user whose `tokenVersion` has been incremented since the token was issued. */
export const SIGNED_OUT = ROTATION
/** A user whose key was revoked after the token was issued from it. */
export const KEY_REVOKED = ROTATION + 1

const CREATED_AT_MS = Date.UTC(2026, 0, 1)

/** Fixed length, for ids, addresses and secrets. */
export const digits = (n: number): string => String(n).padStart(8, '0')
export const userId = (n: number): string => `0199d6c2-7f3a-7c41-9a55-0000${digits(n)}`
/** Record id of a key. */
export const apiKeyId = (n: number): string => `0199d6c2-7f3a-7c41-9a56-0000${digits(n)}`
/** Public id of a key. */
export const keyId = (n: number): string => `plk_00000000000000${digits(n)}`
/** Token of a magic link. `number` may be the placeholder `{n}`. */
export const linkToken = (number: string): string => `${'l'.repeat(35)}${number}`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The tables of the necessary work and of the Express targets: only the columns that the workloads need. */
export const schema = `
  create table users (id text primary key, email text not null unique, role text not null, name text,
    token_version integer not null, claimed_at_ms bigint, created_at_ms bigint not null);
  create table api_keys (id text primary key, user_id text not null references users(id), name text not null,
    key_id text not null unique, secret_hash text not null, created_at_ms bigint not null, revoked_at_ms bigint);
  create index api_keys_by_user on api_keys(user_id);
  create table magic_links (token_hash text primary key, email text not null, redirect_to text,
    expires_at_ms bigint not null);
  create table queued_mails (id text primary key, kind text not null, email text not null,
    created_at_ms bigint not null, unique (kind, email));
`

export type Filling = Readonly<{
  /** Hash of a key's secret as stored. */
  hash: (secret: string) => string
  secretOf: (n: number) => string
  /** Additional users with three keys each that no call uses. */
  idleUsers: number
}>

type Write = (
  table: string,
  columns: readonly string[],
  rows: readonly (string | number | null)[][],
) => Promise<void> | void

async function fill(write: Write, { hash, secretOf, idleUsers }: Filling): Promise<void> {
  const inBatches = async (
    count: number,
    table: string,
    columns: readonly string[],
    row: (n: number) => (string | number | null)[],
  ) => {
    for (let first = 0; first < count; first += 10_000) {
      const length = Math.min(10_000, count - first)
      await write(
        table,
        columns,
        Array.from({ length }, (_, n) => row(first + n)),
      )
    }
  }
  const users = KEY_REVOKED + 1
  await inBatches(
    users + idleUsers,
    'users',
    ['id', 'email', 'role', 'name', 'token_version', 'claimed_at_ms', 'created_at_ms'],
    (n) => [
      userId(n),
      `user-${digits(n)}@example.com`,
      'USER',
      'Ana',
      n === SIGNED_OUT ? 1 : 0,
      CREATED_AT_MS,
      CREATED_AT_MS,
    ],
  )
  await inBatches(
    users + idleUsers * 3,
    'api_keys',
    ['id', 'user_id', 'name', 'key_id', 'secret_hash', 'created_at_ms', 'revoked_at_ms'],
    (n) => [
      apiKeyId(n),
      userId(n < users ? n : users + Math.floor((n - users) / 3)),
      'API key',
      keyId(n),
      n < users ? hash(secretOf(n)) : sha256(String(n)),
      CREATED_AT_MS,
      n === KEY_REVOKED ? CREATED_AT_MS : null,
    ],
  )
  await inBatches(LINKS, 'magic_links', ['token_hash', 'email', 'redirect_to', 'expires_at_ms'], (n) => [
    sha256(linkToken(digits(n))),
    `link-${digits(n)}@example.com`,
    null,
    Date.now() + 24 * 3600 * 1000,
  ])
}

/** The tables must exist. */
export async function fillFile(path: string, filling: Filling): Promise<void> {
  const file = new DatabaseSync(path, { timeout: 5000 })
  file.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = -500000')
  await fill((table, columns, rows) => {
    const insert = file.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    file.exec('BEGIN')
    for (const row of rows) insert.run(...row)
    file.exec('COMMIT')
  }, filling)
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
}

/** The tables must exist. */
export async function fillServer(url: string, filling: Filling): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await fill(async (table, columns, rows) => {
    const from = `json_populate_recordset(null::${table}, $1)`
    const records = rows.map((row) => Object.fromEntries(columns.map((column, n) => [column, row[n]])))
    await client.query(`insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from ${from}`, [
      JSON.stringify(records),
    ])
  }, filling)
  await client.query('analyze')
  await client.end()
}
