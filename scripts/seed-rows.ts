/** Generates accounts in every state, reproducibly by seed. */
import { newKeyId, newKeySecret } from '../src/domain/keys/key-secret.ts'
import type { MailKind } from '../src/database/tables/mail-tables.ts'
import type { ApiKeysTable } from '../src/database/tables/key-tables.ts'
import type { Tables, UsersTable } from '../src/database/tables/tables.ts'
import { sha256 } from '../src/lib/hash.ts'
import { seededRandom } from './seed-random.ts'
import type { SeededRandom } from './seed-random.ts'

/** How many rows to generate, and the time that counts as now. */
export type SeedSize = Readonly<{ users: number; keys: number; seed: number; nowMs: number }>

export type AddRow = <T extends keyof Tables>(table: T, row: Tables[T]) => void

/** A valid key, for calls to the seeded service. */
export type WorkingKey = Readonly<{ keyId: string; keySecret: string }>

const DAY_MS = 24 * 3600 * 1000
const HOUR_MS = 3600 * 1000
/** The creation times of accounts span two years. */
const AGE_MS = 730 * DAY_MS
/** Keys are distributed within groups of this many users: a few have many, most have few. */
const GROUP = 100

/**
 * Adds users with all their rows, oldest account first. The caller may flush rows between users.
 * @returns yields the number of finished users; returns a working key, if any
 */
export function* seedRows(size: SeedSize, add: AddRow): Generator<number, WorkingKey | undefined> {
  const random = seededRandom(size.seed)
  let working: WorkingKey | undefined
  for (let first = 0; first < size.users; first += GROUP) {
    const count = Math.min(GROUP, size.users - first)
    const keysBefore = (users: number) => Math.floor((users / size.users) * size.keys)
    const counts = shareOut(random, keysBefore(first + count) - keysBefore(first), count)
    for (const [n, keys] of counts.entries()) {
      working = addUser({ ...size, random, add }, first + n, keys) ?? working
      yield first + n + 1
    }
  }
  return working
}

type Seeding = SeedSize & Readonly<{ random: SeededRandom; add: AddRow }>

function shareOut(random: SeededRandom, keys: number, users: number): number[] {
  const weights = Array.from({ length: users }, () => 0.05 + random.fraction() ** 4)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let weight = 0
  let given = 0
  return weights.map((own, n) => {
    weight += own
    // The last user takes the rounding remainder.
    const until = n === users - 1 ? keys : Math.floor((weight / total) * keys)
    const share = until - given
    given = until
    return share
  })
}

function addUser(seeding: Seeding, n: number, keys: number): WorkingKey | undefined {
  const { random, add, nowMs, users, seed } = seeding
  const created_at_ms = Math.floor(nowMs - AGE_MS + (n / users) * (AGE_MS - DAY_MS))
  // Unclaimed accounts come from signups by programs, which have a key.
  const isClaimed = keys === 0 || random.happens(0.7)
  const user: UsersTable = {
    id: random.uuid(created_at_ms),
    email: `user-${n}-${seed}@example.com`,
    role: 'USER',
    name: random.happens(0.4) ? `Person ${n}` : null,
    token_version: Math.floor(random.fraction() ** 6 * 8),
    claimed_at_ms: isClaimed ? between(random, created_at_ms, nowMs) : null,
    created_at_ms,
    locale: isClaimed ? (random.happens(0.5) ? 'ro' : 'en') : null,
    deleted_at_ms: null,
    disabled_at_ms: null,
    payment_link_count: null,
  }
  add('users', user)
  let working: WorkingKey | undefined
  for (let key = 0; key < keys; key += 1) working = addKey(seeding, user) ?? working
  addEvents(seeding, user)
  addMails(seeding, user)
  if (isClaimed) addSignIns(seeding, user)
  if (isClaimed && random.happens(0.35)) addIdentity(seeding, user, n)
  return working
}

function addSignIns({ random, add, nowMs }: Seeding, user: UsersTable): void {
  for (let n = Math.floor(random.fraction() * 3); n > 0; n -= 1) {
    const created_at_ms = between(random, Math.max(user.created_at_ms, nowMs - 7 * DAY_MS), nowMs)
    add('sign_ins', {
      id: random.uuid(created_at_ms),
      user_id: user.id,
      method: random.happens(0.7) ? 'magic_link' : 'google',
      token_version: user.token_version,
      created_at_ms,
      expires_at_ms: created_at_ms + 7 * DAY_MS,
      last_seen_at_ms: between(random, created_at_ms, nowMs),
      ended_at_ms: random.happens(0.2) ? nowMs : null,
      browser: 'Chrome on Windows',
      client: '203.0.113.9',
      is_new_browser: 0,
    })
  }
}

function addKey({ random, add, nowMs }: Seeding, user: UsersTable): WorkingKey | undefined {
  const created_at_ms = between(random, user.created_at_ms, nowMs)
  const keyId = newKeyId(random)
  const keySecret = newKeySecret(random)
  const state = random.fraction()
  const isRevoked = state < 0.35
  const isExpired = state >= 0.35 && state < 0.5
  const awaits = state >= 0.5 && state < 0.55 && user.claimed_at_ms !== null
  const later = () => between(random, created_at_ms, nowMs)
  const hasEnd = isExpired || random.happens(0.3)
  const lastUsedAtMs = random.happens(0.7) ? later() : null
  const key: ApiKeysTable = {
    id: random.uuid(created_at_ms),
    user_id: user.id,
    name: `Key ${keyId.slice(4, 8)}`,
    key_id: keyId,
    secret_hash: sha256(keySecret),
    created_at_ms,
    expires_at_ms: hasEnd ? (isExpired ? later() : between(random, nowMs + HOUR_MS, nowMs + 365 * DAY_MS)) : null,
    awaits_owner_at_ms: awaits ? later() : null,
    revoked_at_ms: isRevoked ? later() : null,
    last_used_at_ms: lastUsedAtMs,
    last_used_network: lastUsedAtMs === null ? null : '203.0.113.9',
    rotated_at_ms: null,
    previous_secret_hash: null,
    previous_secret_until_ms: null,
    week_notice_at_ms: null,
    day_notice_at_ms: null,
    family_id: null,
    restrictions: null,
    effective_restrictions: null,
    creator_id: null,
    kind: 'key',
    client_id: null,
    resource: null,
    token_version: null,
  }
  if (random.happens(0.1)) {
    key.rotated_at_ms = later()
    key.previous_secret_hash = random.hash()
    key.previous_secret_until_ms = key.rotated_at_ms + DAY_MS
  }
  add('api_keys', key)
  const maker = { user_id: user.id, key_id: key.id, maker_key_id: null, at_ms: created_at_ms }
  add('key_makers', {
    ...maker,
    last_at_ms: null,
    id: random.uuid(created_at_ms),
    how: 'created',
    sign_in_id: random.uuid(created_at_ms),
  })
  if (key.rotated_at_ms !== null) {
    const rotated = { ...maker, how: 'rotated', at_ms: key.rotated_at_ms } as const
    add('key_makers', {
      ...rotated,
      last_at_ms: null,
      id: random.uuid(rotated.at_ms),
      sign_in_id: random.uuid(rotated.at_ms),
    })
  }
  const day = new Date(key.last_used_at_ms ?? created_at_ms).toISOString().slice(0, 10)
  add('key_amounts', { key_id: key.id, day, currency: 'EUR', amount: 5000, user_id: user.id })
  add('key_daily_uses', { key_id: key.id, day, exchanges: 24, refusals: 0, user_id: user.id })
  const works = !isRevoked && !isExpired && !awaits
  return works ? { keyId, keySecret } : undefined
}

function addEvents({ random, add, nowMs }: Seeding, user: UsersTable): void {
  const count = Math.floor(random.fraction() * 7)
  for (let n = 0; n < count; n += 1) {
    // Upkeep deletes older events.
    const at_ms = between(random, Math.max(user.created_at_ms, nowMs - 360 * DAY_MS), nowMs)
    add('security_events', {
      id: random.uuid(at_ms),
      user_id: user.id,
      type: ['signed_in', 'key_created', 'exchange_refused', 'sign_in_refused'][n % 4] ?? 'signed_in',
      at_ms,
      client: `192.0.2.${Math.floor(random.fraction() * 256)}`,
      api_key_id: null,
      by_api_key_id: null,
      sign_in_id: null,
      by_sign_in_id: null,
      detail: n % 4 === 0 ? 'magic_link' : null,
      times: 1 + Math.floor(random.fraction() ** 8 * 20),
      browser: n % 3 === 0 ? 'Firefox on Linux' : null,
    })
  }
}

function addMails({ random, add, nowMs }: Seeding, user: UsersTable): void {
  const { email } = user
  if (random.happens(0.2)) {
    const mailed_at_ms = between(random, nowMs - 7 * DAY_MS, nowMs)
    const link_hash = random.hash()
    const expires_at_ms = mailed_at_ms + 10 * 60 * 1000
    if (random.happens(0.5)) add('magic_links', { token_hash: link_hash, email, redirect_to: null, expires_at_ms })
    add('mail_buttons', {
      token_hash: random.hash(),
      action: 'not_me',
      email,
      mail_kind: 'sign_in',
      mailed_at_ms,
      expires_at_ms: mailed_at_ms + 7 * DAY_MS,
      link_hash,
      sign_in_id: random.happens(0.5) ? random.uuid(mailed_at_ms) : null,
      tells_since_ms: null,
      used_at_ms: null,
    })
  }
  if (random.happens(0.002)) {
    add('mail_pauses', { email, paused_at_ms: between(random, user.created_at_ms, nowMs), mailed_at_ms: null })
  }
  if (random.happens(0.001)) addQueued(random, add, email, nowMs)
}

// None is due within a day, so that starting the service sends no mail.
function addQueued(random: SeededRandom, add: AddRow, email: string, nowMs: number): void {
  const kind: MailKind = random.happens(0.5) ? 'sign_in' : 'security_notice'
  add('queued_mails', {
    id: random.uuid(nowMs),
    kind,
    email,
    redirect_to: null,
    locale: 'en',
    attempts: 0,
    due_at_ms: between(random, nowMs + DAY_MS, nowMs + 2 * DAY_MS),
    leased_until_ms: null,
    created_at_ms: nowMs,
    tells_since_ms: kind === 'security_notice' ? nowMs : null,
    mailbox: email,
    network: null,
    turn_rank: 0,
    turn_at_ms: null,
    held_until_ms: null,
    browser: null,
    asked_at_ms: nowMs,
    asked_by_several: 0,
  })
}

function addIdentity({ random, add, nowMs }: Seeding, user: UsersTable, n: number): void {
  const connected_at_ms = between(random, user.created_at_ms, nowMs)
  add('identities', {
    issuer: 'https://accounts.google.com',
    subject: `1${String(n).padStart(20, '0')}`,
    user_id: user.id,
    email: user.email,
    connected_at_ms,
    sign_in_id: random.uuid(connected_at_ms),
  })
  if (random.happens(0.3)) {
    add('spent_credentials', { hash: random.hash(), expires_at_ms: between(random, nowMs - 2 * DAY_MS, nowMs) })
  }
}

const between = (random: SeededRandom, fromMs: number, untilMs: number): number =>
  Math.floor(fromMs + random.fraction() * Math.max(0, untilMs - fromMs))
