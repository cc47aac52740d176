import type { Config } from '../config/settings.ts'
import type { Database } from '../database/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Random } from '../lib/random.ts'
import type { FailureLog } from './events/failure-log.ts'
import type { GoogleClient } from './google/google-client.ts'
import type { DailyUses } from './keys/daily-uses/daily-uses.ts'
import type { LastUses } from './last-uses.ts'
import type { Mailer } from './mails/mailer.ts'
import type { ClientDocuments } from './oauth/client-documents.ts'
import type { OAuthCounts } from './oauth/oauth-counts.ts'
import type { ReferenceRates } from './payment-links/conversion.ts'
import type { AccessTokens } from './sign-in/access-token.ts'
import type { Erasure } from './users/account-erasure.ts'

/** Available in every process, including the command line. */
export type CoreDeps = Readonly<{ config: Config; db: Database; clock: Clock; random: Random; log: Log }>

/** Dependencies of functions that record events or queue mails. */
export type EventDeps = Pick<CoreDeps, 'clock' | 'random'>

export type DomainDeps = CoreDeps &
  Readonly<{
    mailer: Mailer
    accessTokens: AccessTokens
    keyUse: LastUses
    dailyUses: DailyUses
    signInUse: LastUses
    failureLog: FailureLog
    erasure: Erasure
    clientDocuments: ClientDocuments
    oauthCounts: OAuthCounts
    /** Null when sign-in with Google is not configured. */
    google: GoogleClient | null
    /** Used where no rate of the bank is held. Empty in production. */
    sampleRates: ReferenceRates
  }>
