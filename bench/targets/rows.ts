/** The reads of the hot path as prepared statements, on SQLite or PostgreSQL. */
import { DatabaseSync } from 'node:sqlite'
import { Pool, types } from 'pg'

/** Current state of a token's user and key. */
export type TokenUser = Readonly<{
  id: string
  email: string
  role: string
  name: string | null
  token_version: number
  claimed_at_ms: number | null
  created_at_ms: number
  key_revoked_at_ms: number | null
}>

export type ExchangeKey = Readonly<{
  id: string
  user_id: string
  secret_hash: string
  revoked_at_ms: number | null
  email: string
  role: string
  token_version: number
}>

const TOKEN_USER = `select users.id, email, role, users.name, token_version, claimed_at_ms, users.created_at_ms,
  api_keys.revoked_at_ms as key_revoked_at_ms from users
  left join api_keys on api_keys.user_id = users.id and api_keys.id = $1 where users.id = $2`
const EXCHANGE_KEY = `select api_keys.id, user_id, secret_hash, revoked_at_ms, email, role, token_version
  from api_keys join users on users.id = api_keys.user_id where key_id = $1`

// pg returns a bigint as text by default.
types.setTypeParser(types.builtins.INT8, Number)

const url = process.env['DATABASE_URL'] ?? ''

/** The SQLite database, or undefined on PostgreSQL. By default a write is durable before its answer. */
export const file = url.startsWith('sqlite:') ? openFile(url.slice('sqlite:'.length)) : undefined

function openFile(path: string): DatabaseSync {
  const opened = new DatabaseSync(path, { timeout: 5000 })
  const synchronous = process.env['SYNCHRONOUS'] ?? 'FULL'
  opened.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`)
  return opened
}

export const readTokenUser: (
  apiKeyId: string,
  userId: string,
) => TokenUser | undefined | Promise<TokenUser | undefined> = reader<TokenUser, [string, string]>(
  'token-user',
  TOKEN_USER,
)

export const readExchangeKey: (keyId: string) => ExchangeKey | undefined | Promise<ExchangeKey | undefined> = reader<
  ExchangeKey,
  [string]
>('exchange-key', EXCHANGE_KEY)

function reader<Row, Values extends string[]>(name: string, text: string) {
  if (file !== undefined) {
    const statement = file.prepare(text.replaceAll(/\$\d/g, '?'))
    return (...values: Values) => statement.get(...values) as Row | undefined
  }
  const pool = new Pool({ connectionString: url, max: 10 })
  return async (...values: Values): Promise<Row | undefined> =>
    (await pool.query<Row & object>({ name, text, values })).rows[0]
}
