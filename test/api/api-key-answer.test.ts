import assert from 'node:assert/strict'
import test from 'node:test'
import type { ApiKey } from '../../src/domain/keys/key-store.ts'
import { describeKey } from '../../src/domain/keys/describe-key.ts'
import { keyRow } from '../support/accounts/rows.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const key = keyRow('id', { key_id: 'plk_1', name: 'Server', created_at_ms: NOW_MS - 5000 })
const statusOf = (change: Partial<ApiKey>) => describeKey({ ...key, ...change }, NOW_MS).status

test('REVOKED takes precedence over EXPIRED, EXPIRED over AWAITS_OWNER, and only a key in none of these states is ACTIVE', () => {
  const revoked = { revoked_at_ms: NOW_MS }
  const expired = { expires_at_ms: NOW_MS }
  const waits = { awaits_owner_at_ms: 1 }
  assert.equal(statusOf({}), 'ACTIVE')
  assert.equal(statusOf(waits), 'AWAITS_OWNER')
  assert.equal(statusOf(expired), 'EXPIRED')
  assert.equal(statusOf({ ...waits, ...expired }), 'EXPIRED')
  assert.equal(statusOf({ ...waits, ...expired, ...revoked }), 'REVOKED')
  assert.equal(statusOf({ ...waits, ...revoked }), 'REVOKED')
  assert.equal(statusOf({ expires_at_ms: NOW_MS + 1 }), 'ACTIVE', 'a millisecond before it expires')
})

test('a key in a response has no hash, no owner and no maker', () => {
  const times = { expires_at_ms: NOW_MS + 1, last_used_at_ms: NOW_MS - 1, revoked_at_ms: NOW_MS }
  assert.deepEqual(describeKey({ ...key, ...times }, NOW_MS), {
    id: 'id',
    name: 'Server',
    keyId: 'plk_1',
    status: 'REVOKED',
    createdAt: '2026-11-20T23:59:55.000Z',
    lastUsedAt: '2026-11-20T23:59:59.999Z',
    expiresAt: '2026-11-21T00:00:00.001Z',
    revokedAt: '2026-11-21T00:00:00.000Z',
  })
})
