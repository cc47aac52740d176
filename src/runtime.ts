/** The one place where the parts of a process are put together: server, command line, tests and generators. */
import type { Config } from './config/settings.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase, UNHURRIED } from './database/open.ts'
import { isPostgresUnavailable } from './database/postgres/errors.ts'
import type { Patience } from './database/postgres/open.ts'
import { takeTogether } from './database/rate-limit-store.ts'
import type { CoreDeps } from './domain/deps.ts'
import { createFailureLog } from './domain/events/failure-log.ts'
import { createKeyUse } from './domain/keys/key-use.ts'
import { startRates } from './domain/payment-links/load-rates.ts'
import { createAccessTokens } from './domain/sign-in/access-token.ts'
import { startUpkeep } from './domain/upkeep.ts'
import { createErasure } from './domain/users/account-erasure.ts'
import type { Deps } from './http/deps.ts'
import { createRateLimits } from './http/rate-limit/rate-limits.ts'
import { createBoundedFetch } from './lib/bounded-fetch.ts'
import { systemClock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { EXIT_FAILED, OperatorError } from './lib/operator-error.ts'
import { systemRandom } from './lib/random.ts'
import type { Repeated } from './lib/repeat.ts'
import type { Take } from './lib/token-bucket.ts'
import { composers } from './mail/composers.ts'
import { createSendQueue } from './mail/queue/send-queue.ts'
import type { MailTransport } from './mail/smtp-transport.ts'

/**
 * Opens what every process has.
 * @param options a test's clock, and how long a server may take to answer
 */
export function openCore(
  config: Config,
  log: Log,
  { clock = systemClock, patience }: Readonly<{ clock?: CoreDeps['clock']; patience?: Patience }> = {},
): CoreDeps {
  return { config, log, clock, random: systemRandom, db: openDatabase(config, log, patience) }
}

/** A process that can serve. */
export type Runtime = Readonly<{
  deps: Deps
  /** Starts sending the mails that are queued. */
  startMailQueue(): void
  /** Starts everything else that is done in the background: erasing, upkeep, exchange rates. */
  startBackgroundWork(): void
  /** Ends the background work, writes what is only in memory and closes the database. Close the server first. */
  close(): Promise<void>
}>

/** The choices of a process: where its mail goes, and how it signs people in with Google. */
export type RuntimeOptions = Readonly<{
  transport: MailTransport
  /** Default: as configured. */
  google?: Config['google']
  /** Timeout for the rate limits' buckets on PostgreSQL. */
  countedWithinMs?: number
}>

/** Puts a process together; nothing runs before it is started. */
export async function createRuntime(
  core: CoreDeps,
  { transport, google = core.config.google, countedWithinMs }: RuntimeOptions,
): Promise<Runtime> {
  const { config, db, clock, random, log } = core
  const sendQueue = createSendQueue(core, transport, composers)
  const sharedBuckets =
    db.dialect === 'postgres'
      ? { take: (takes: readonly Take[]) => takeTogether(db, takes), log, countedWithinMs }
      : undefined
  const deps: Deps = {
    ...core,
    mailer: sendQueue,
    accessTokens: createAccessTokens(config, clock, random),
    rateLimits: createRateLimits(config, clock, sharedBuckets),
    keyUse: createKeyUse(db, clock, log),
    failureLog: createFailureLog(core),
    erasure: createErasure(core),
    google: google && (await createGoogle(google, core)),
  }
  const repeated: Repeated[] = []
  return {
    deps,
    startMailQueue: () => sendQueue.start(),
    startBackgroundWork() {
      // What a crash left.
      deps.erasure.wake()
      const rates = startRates(deps, createBoundedFetch())
      repeated.push(startUpkeep(deps), ...(rates ? [rates] : []))
    },
    async close() {
      for (const work of repeated) await work.stop()
      await deps.erasure.close()
      await sendQueue.close()
      await deps.keyUse.close()
      await deps.failureLog.close()
      await db.close()
    },
  }
}

// Its library is loaded only where it is used.
async function createGoogle(
  settings: NonNullable<Config['google']>,
  { config, clock, log }: CoreDeps,
): Promise<Deps['google']> {
  const { createGoogleClient } = await import('./domain/google/google-client.ts')
  return createGoogleClient(settings, config, { clock, log, fetch: createBoundedFetch() })
}

/** Brings the database to this version's schema, on connections of its own: it may take longer than any call may wait. */
export async function migrateDatabase(config: Config, log: Log): Promise<string[]> {
  const db = openDatabase(config, log, UNHURRIED)
  try {
    return await migrate(db)
  } catch (error) {
    if (!isPostgresUnavailable(error)) throw error
    const { message, code = '' } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `The database cannot be used: ${message || code}. Check DATABASE_URL, and whether the server runs.`,
      EXIT_FAILED,
      { cause: error },
    )
  } finally {
    await db.close()
  }
}
