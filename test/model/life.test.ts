/** However accounts, keys and tokens are used one after another, the service answers what the model says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { lifeArbitrary, live } from './life.ts'

/** How many steps are taken in all, about; more by the setting. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 2000)
const seed = process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) }

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('every answer of a random life is the one that the model and the document say', async () => {
  const run = fc.asyncProperty(lifeArbitrary, (life) => live(service, service.call, life))
  await fc.assert(run, { numRuns: Math.ceil(CASES / 35), ...seed })
  assert.ok(CASES > 0)
})
