/** The database as the stores see it: the tables' types, transactions, and queries compiled once. */
import type { Compilable, CompiledQuery, Kysely, Transaction } from 'kysely'

/** A person's or a program's account. `claimed_at_ms`: when its address was first proven; null: never. */
export interface UsersTable {
  id: string
  email: string
  role: string
  name: string | null
  token_version: number
  claimed_at_ms: number | null
  created_at_ms: number
}

/** An API key. Its secret is here as a hash only. */
export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  /** The public credential id, `plk_…`. */
  key_id: string
  secret_hash: string
  /** The key whose token made this key; null: made by a person's sign-in, or by signup. */
  created_by_key_id: string | null
  created_at_ms: number
  expires_at_ms: number | null
  /** Since when the key waits for the owner to keep it; null: it does not. */
  awaits_owner_at_ms: number | null
  revoked_at_ms: number | null
  last_used_at_ms: number | null
}

/** A magic link that is out. Its token is here as a hash only; a used link has no row. */
export interface MagicLinksTable {
  token_hash: string
  email: string
  redirect_to: string | null
  expires_at_ms: number
}

/** What mails there are. */
export type MailKind = 'sign_in' | 'signup_notice'

/** A mail that has to go out. No token is here: it is made when the mail is sent. */
export interface QueuedMailsTable {
  id: string
  kind: MailKind
  email: string
  redirect_to: string | null
  locale: string
  attempts: number
  due_at_ms: number
  leased_until_ms: number | null
  created_at_ms: number
}

/** All tables. Times are milliseconds since the Unix epoch. */
export interface Tables {
  users: UsersTable
  api_keys: ApiKeysTable
  magic_links: MagicLinksTable
  queued_mails: QueuedMailsTable
}

/** The database, or a transaction in it: what every function of a store takes first. */
export type Db = Kysely<Tables>

/** A function that can only do its work inside a transaction takes this. */
export type DbTransaction = Transaction<Tables>

/**
 * Runs `work` in one transaction: all of it is durable when the promise resolves, none of it happened
 * when it rejects. Nothing but SQL may be awaited inside: the embedded database has one connection,
 * and everybody else waits for it.
 */
export function inTransaction<T>(db: Db, work: (trx: DbTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}

/**
 * A query for the hot path: built on its first run against a database, afterwards only given new
 * parameters, because building a query costs five times what reading the row does.
 * @param build makes the query from any parameters; it must use each once, in the order they come
 */
export function compiledOnce<P extends readonly unknown[], R>(
  build: (db: Db, ...parameters: P) => Compilable<R>,
): (db: Db, ...parameters: P) => Promise<R[]> {
  const compiled = new WeakMap<Db, CompiledQuery<R>>()
  return async (db, ...parameters) => {
    let query = compiled.get(db)
    if (query === undefined) {
      query = build(db, ...parameters).compile()
      compiled.set(db, query)
    }
    const { rows } = await db.executeQuery<R>({ ...query, parameters })
    return rows
  }
}
