import '../support/postgres/on-postgres.ts'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { CASES, RUN } from './fuzz-settings.ts'
import { lifeArbitrary, live } from './life.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

test('every answer in a random life matches the model and openapi.json', async () => {
  const run = fc.asyncProperty(lifeArbitrary, (life) => live(service, service.call, life))
  await fc.assert(run, { numRuns: Math.ceil(CASES / 35), ...RUN })
})
