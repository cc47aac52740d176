/** A short run of the random faults of `npm run soak`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soak } from '../soak/soak.ts'

const FOR_MS = 25_000
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

test(`mixed traffic under random faults: nothing acknowledged is lost, nothing revoked is accepted, memory stays flat (SEED=${seed}) [F44]`, async (t) => {
  const { counts, violations } = await soak(seed, FOR_MS)
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
  assert.deepEqual(violations, [])
  const faults = [...counts.keys()].filter((what) => what.startsWith('fault: '))
  assert.ok(faults.length >= 2, faults.join())
  assert.ok((counts.get('GET /users/me 200') ?? 0) > 30)
})
