/** A service in the test's process with the local stand-in for Google, as on a developer's machine. */
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

export const SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'

export type WithLocalGoogle = Pick<Service, 'db' | 'call' | 'close'> &
  Readonly<{
    origin: string
    /**
     * Where people open it: the same server under another host name, so that the browser treats it as another origin.
     */
    publicUrl: string
  }>

export async function startWithLocalGoogle(): Promise<WithLocalGoogle> {
  const service = await startService()
  const port = String(await freePort())
  const publicUrl = `http://localhost:${port}`
  const config = loadConfig({ JWT_SECRET: SECRET, PORT: port, PUBLIC_URL: publicUrl }, () => SECRET)
  const standIn = createLocalGoogle(config, systemRandom)
  assert.ok(standIn)
  // The stand-in uses the system clock.
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
