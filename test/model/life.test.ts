/** However accounts, keys and tokens are used one after another, the service answers what the model says. */
import '../support/on-postgres.ts'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startGoogleService } from '../support/google.ts'
import type { GoogleService } from '../support/google.ts'
import { CASES, RUN } from './cases.ts'
import { lifeArbitrary, live } from './life.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

test('every answer of a random life is the one that the model and the document say', async () => {
  const run = fc.asyncProperty(lifeArbitrary, (life) => live(service, service.call, life))
  await fc.assert(run, { numRuns: Math.ceil(CASES / 35), ...RUN })
})
