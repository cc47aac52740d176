/** A service in the test's process whose Google is the local stand-in, as it is on a developer's machine. */
import assert from 'node:assert/strict'
import { buildApp } from '../../../src/app.ts'
import { createLocalGoogle } from '../../../src/dev/local-google.ts'
import { createGoogleClient } from '../../../src/domain/google/google-client.ts'
import { createBoundedFetch } from '../../../src/lib/bounded-fetch.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { callAt } from '../http/call.ts'
import { freePort } from '../files.ts'
import { startService } from '../service.ts'
import type { Service } from '../service.ts'

/** The secret that signs its access tokens. */
export const SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'

/** The service. */
export type WithLocalGoogle = Pick<Service, 'db' | 'call' | 'close'> &
  Readonly<{
    /** Where it listens. */
    origin: string
    /** Where people open it: the same place by another name, so that the browser takes it for another origin. */
    publicUrl: string
  }>

/** Starts it. */
export async function startWithLocalGoogle(): Promise<WithLocalGoogle> {
  const service = await startService()
  const port = String(await freePort())
  const publicUrl = `http://localhost:${port}`
  const config = loadConfig({ JWT_SECRET: SECRET, PORT: port, PUBLIC_URL: publicUrl }, () => SECRET)
  const standIn = createLocalGoogle(config, systemRandom)
  assert.ok(standIn)
  // The stand-in's time is the machine's.
  const clock = systemClock
  const google = createGoogleClient(standIn.settings, config, {
    clock,
    log: service.deps.log,
    fetch: createBoundedFetch(),
  })
  const app = await buildApp({ ...service.deps, config, google, clock }, standIn.addPages)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  const origin = `http://127.0.0.1:${port}`
  return {
    db: service.db,
    origin,
    publicUrl,
    call: (route, options) => callAt(`${origin}/api/v1`, route, options),
    async close() {
      await app.close()
      await service.close()
    },
  }
}
