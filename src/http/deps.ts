/** What everything is given: the infrastructure of one process, made once by `main` (or by a test). */
import type { AccessTokens } from '../domain/sign-in/access-token.ts'
import type { Erasure } from '../domain/users/account-erasure.ts'
import type { FailureLog } from '../domain/events/failure-log.ts'
import type { KeyUse } from '../domain/keys/key-use.ts'
import type { Config } from '../config/settings.ts'
import type { Database } from '../database/database.ts'
import type { GoogleClient } from '../domain/google/google-client.ts'
import type { RateLimits } from './rate-limit/rate-limits.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Random } from '../lib/random.ts'
import type { Mailer } from '../mail/queue/send-queue.ts'

/** The infrastructure of one process. */
export type Deps = Readonly<{
  config: Config
  db: Database
  clock: Clock
  random: Random
  mailer: Mailer
  log: Log
  accessTokens: AccessTokens
  rateLimits: RateLimits
  keyUse: KeyUse
  failureLog: FailureLog
  erasure: Erasure
  /** Null: sign-in with Google is not configured. */
  google: GoogleClient | null
}>
