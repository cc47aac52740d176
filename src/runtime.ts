/** Assembles all parts but the server, for the server, tests and generators. */
import type { Config } from './config/settings.ts'
import { takeFromAll } from './database/rate-limit-store.ts'
import type { CoreDeps } from './domain/deps.ts'
import { createFailureLog } from './domain/events/failure-log.ts'
import { createDailyUses } from './domain/keys/daily-uses/daily-uses.ts'
import { createKeyUse, createSignInUse } from './domain/last-uses.ts'
import { createClientDocuments } from './domain/oauth/client-documents.ts'
import { createOAuthCounts } from './domain/oauth/oauth-counts.ts'
import { startRates } from './domain/payment-links/load-rates.ts'
import { createAccessTokens } from './domain/sign-in/access-token.ts'
import { startUpkeep } from './domain/upkeep.ts'
import { createErasure } from './domain/users/account-erasure.ts'
import type { Deps } from './http/deps.ts'
import { fetchPinned } from './http/pinned-fetch.ts'
import { createRateLimits } from './http/rate-limit/rate-limits.ts'
import { createBoundedFetch } from './lib/bounded-fetch.ts'
import type { Repeated } from './lib/repeat.ts'
import type { Take } from './lib/token-bucket.ts'
import { composers } from './mail/composers.ts'
import { createSendQueue } from './mail/queue/send-queue.ts'
import type { MailTransport } from './mail/smtp-transport.ts'

export type Runtime = Readonly<{
  deps: Deps
  startMailQueue(): void
  /** Starts all other background work: erasure, upkeep, exchange rates. */
  startBackgroundWork(): void
  /** Stops background work, flushes what is only in memory and closes the database. Close the server first. */
  close(): Promise<void>
}>

export type RuntimeOptions = Readonly<{
  transport: MailTransport
  /** Default: from `Config`. */
  google?: Config['google']
  /** Default: none. */
  sampleRates?: Deps['sampleRates']
  /** For tests: timeout of the shared rate-limit buckets on PostgreSQL. */
  sharedBucketTimeoutMs?: number
}>

/** Starts nothing. */
export async function createRuntime(
  core: CoreDeps,
  { transport, google = core.config.google, sampleRates = {}, sharedBucketTimeoutMs }: RuntimeOptions,
): Promise<Runtime> {
  const { config, db, clock, random, log } = core
  const sendQueue = createSendQueue(core, transport, composers)
  const sharedBuckets =
    db.dialect === 'postgres'
      ? { take: (takes: readonly Take[]) => takeFromAll(db, takes), log, sharedBucketTimeoutMs }
      : undefined
  const deps: Deps = {
    ...core,
    mailer: sendQueue,
    accessTokens: createAccessTokens(config, clock, random),
    rateLimits: createRateLimits(config, clock, sharedBuckets),
    keyUse: createKeyUse(core),
    dailyUses: createDailyUses(core),
    signInUse: createSignInUse(core),
    failureLog: createFailureLog(core),
    erasure: createErasure(core),
    clientDocuments: createClientDocuments(core, fetchPinned),
    oauthCounts: createOAuthCounts(),
    google: google && (await createGoogle(google, core)),
    sampleRates,
  }
  const repeated: Repeated[] = []
  return {
    deps,
    startMailQueue: () => sendQueue.start(),
    startBackgroundWork() {
      // Resumes erasures that a crash interrupted.
      deps.erasure.wake()
      const rates = startRates(deps, createBoundedFetch())
      repeated.push(startUpkeep(deps), ...(rates ? [rates] : []))
    },
    async close() {
      for (const work of repeated) await work.stop()
      await deps.erasure.close()
      await sendQueue.close()
      await deps.keyUse.close()
      await deps.dailyUses.close()
      await deps.signInUse.close()
      await deps.failureLog.close()
      await db.close()
    },
  }
}

// Loaded only where Google is used.
async function createGoogle(
  settings: NonNullable<Config['google']>,
  { config, clock, log }: CoreDeps,
): Promise<Deps['google']> {
  const { createGoogleClient } = await import('./domain/google/google-client.ts')
  return createGoogleClient(settings, config, { clock, log, fetch: createBoundedFetch() })
}
