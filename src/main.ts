/** Reads the settings, builds the dependencies, listens, and closes without losing what is in flight. */
import { existsSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import { createAccessTokens } from './domain/sign-in/access-token.ts'
import { createErasure } from './domain/users/account-erasure.ts'
import { createFailureLog } from './domain/events/failure-log.ts'
import { createKeyUse } from './domain/keys/key-use.ts'
import { buildApp, composers } from './app.ts'
import type { Config } from './config/settings.ts'
import type { Database } from './database/database.ts'
import { UNHURRIED, openDatabase } from './database/open.ts'
import { isPostgresUnavailable } from './database/postgres/errors.ts'
import { migrate, NewerSchemaError, SchemaInUseError } from './database/migrate.ts'
import { createLocalGoogle } from './dev/local-google.ts'
import { createDevelopmentMailbox } from './dev/mailbox.ts'
import { addPageStyle } from './dev/page-style.ts'
import { startRates } from './domain/payment-links/load-rates.ts'
import { DocsMissingError } from './api/docs/docs.ts'
import { WebAppMissingError } from './api/web-app/web-app.ts'
import { countStore } from './database/rate-limit-store.ts'
import { createRateLimits } from './http/rate-limit/rate-limits.ts'
import type { App } from './http/endpoint.ts'
import { createBoundedFetch } from './lib/bounded-fetch.ts'
import { sleep, systemClock } from './lib/clock.ts'
import { keptSecret } from './lib/data-folder.ts'
import { createLog } from './lib/log.ts'
import type { Log } from './lib/log.ts'
import { createSmtpTransport } from './mail/smtp-transport.ts'
import { systemRandom } from './lib/random.ts'
import { writeErrorLine, writeLine } from './lib/terminal.ts'
import { ConfigError, loadConfig } from './config/load-config.ts'
import { createSendQueue } from './mail/queue/send-queue.ts'
import { startUpkeep } from './domain/upkeep.ts'

/** The exit code for settings that do not make a service that may start (sysexits.h, EX_CONFIG). */
const EXIT_CONFIG = 78
/** The database is held by somebody else (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5
/** How long closing may take, in milliseconds, before the process ends regardless. */
const CLOSE_WITHIN_MS = 10_000
/** How long requests in flight are waited for, in milliseconds, before their connections are cut. */
const FINISH_REQUESTS_WITHIN_MS = 3000
/**
 * Signals by which a processor says that an instruction cannot be carried out: on a failing disk, SIGBUS for the
 * mapped file of the embedded database. Handled, the same instruction runs again and again, for ever.
 */
const NEVER_HANDLED = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const

/** Runs the service until it is told to stop. */
export async function serve(): Promise<void> {
  await orExplain(async () => {
    const config = readConfig()
    const log = createLog(config.logLevel)
    await migrateDatabase(config, log)
    await run(config, openDatabase(config, log), log)
  })
}

/** Brings the database to this version's schema and says what was done. */
export async function migrateOnly(): Promise<void> {
  await orExplain(async () => {
    const config = readConfig()
    const applied = await migrateDatabase(config, createLog(config.logLevel))
    writeLine(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
  })
}

/** Brings the database to this version's schema, on connections of its own: it may take longer than any call may wait. */
export async function migrateDatabase(config: Config, log: Log): Promise<string[]> {
  const db = openDatabase(config, log, UNHURRIED)
  try {
    return await migrate(db)
  } catch (error) {
    throw isPostgresUnavailable(error) ? new DatabaseAwayError(error) : error
  } finally {
    await db.close()
  }
}

class DatabaseAwayError extends Error {
  constructor(cause: unknown) {
    const { message, code = '' } = cause as NodeJS.ErrnoException
    super(`The database cannot be used: ${message || code}. Check DATABASE_URL, and whether the server runs.`, { cause })
  }
}

async function run(config: Config, db: Database, log: Log): Promise<void> {
  const clock = systemClock
  const random = systemRandom
  const keyUse = createKeyUse(db, clock, log)
  const failureLog = createFailureLog({ db, clock, random, log })
  const erasure = createErasure({ db, log })
  const localGoogle = createLocalGoogle(config, random)
  const google = config.google ?? localGoogle?.settings
  const withoutMailer = {
    config,
    db,
    clock,
    random,
    log,
    keyUse,
    failureLog,
    erasure,
    accessTokens: createAccessTokens(config, clock, random),
    rateLimits: createRateLimits(config, clock, db.dialect === 'postgres' ? { store: countStore(db), log } : undefined),
    google: google ? (await import('./domain/google/google-client.ts')).createGoogleClient(google, config, { clock, log, fetch: createBoundedFetch() }) : null,
  }
  const mailbox = createDevelopmentMailbox(clock)
  const transport = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl, config.mailFrom)
    : mailbox.transport
  const sendQueue = createSendQueue(withoutMailer, transport, composers)
  const deps = { ...withoutMailer, mailer: sendQueue }
  const app = await buildApp(deps, (pages) => {
    if (config.hasDevelopmentPages) addPageStyle(pages)
    if (config.hasDevelopmentPages && !config.smtpUrl) mailbox.addPages(pages)
    localGoogle?.addPages(pages)
  })

  await app.listen({ host: config.host, port: config.port })
  sendQueue.start()
  // What a crash left.
  erasure.wake()
  const upkeep = startUpkeep(deps)
  const rates = startRates(deps, createBoundedFetch())
  const onTimeout = () => log.error('closing took too long: the process ends before it is done')
  closeWithGrace({ delay: CLOSE_WITHIN_MS, logger: false, onTimeout, skip: [...NEVER_HANDLED] }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'closing after an error nobody caught')
    else log.info({ signal }, 'closing')
    await closeServer(app)
    await upkeep.stop()
    await erasure.close()
    await rates?.stop()
    await sendQueue.close()
    await keyUse.close()
    await failureLog.close()
    await db.close()
    log.info('closed')
  })
  for (const line of greeting(config, localGoogle !== undefined)) writeLine(line)
}

// A request that was begun and never ends, by accident or on purpose, must not keep the rest from closing well.
async function closeServer(app: App): Promise<void> {
  const closed = new AbortController()
  const closing = app.close().finally(() => closed.abort())
  await sleep(FINISH_REQUESTS_WITHIN_MS, closed.signal)
  app.server.closeAllConnections()
  await closing
}

function greeting(config: Config, hasLocalGoogle: boolean): string[] {
  const google = hasLocalGoogle ? 'is a local stand-in' : config.google ? `is on; its redirect URI is ${config.baseUrl}/auth/google/callback` : 'is not configured'
  const mail = config.smtpUrl
    ? `the SMTP server ${config.smtpUrl.host}`
    : `the development mailbox, http://localhost:${config.port}/dev/mailbox`
  return [
    '',
    `paylink-auth is listening on ${config.host}, port ${config.port}.`,
    '',
    `  Open    ${config.publicUrl}`,
    `  API     ${config.baseUrl}`,
    `  Mail    goes to ${mail}`,
    `  Google  ${google}`,
    '',
    'Sign up as a program:',
    '',
    `  curl ${config.baseUrl}/auth/api/signup -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'`,
    '',
  ]
}

/** The settings of this process and of the `.env` in its folder. */
export function readConfig(): Config {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
  } catch {
    throw new ConfigError(['.env is there but cannot be read'])
  }
  return loadConfig(process.env, (dataDir) => keptSecret(dataDir, systemRandom))
}

/** Runs a command. What an operator can mend is said in a line, without a stack; anything else is a fault and shows one. */
export async function orExplain(work: () => Promise<void>): Promise<void> {
  // The database and the signing secret are nobody else's to read.
  process.umask(0o077)
  try {
    await work()
  } catch (error) {
    const explanation = explain(error)
    if (explanation === undefined) throw error
    for (const line of explanation) writeErrorLine(line)
    process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1)
  }
}

type SystemError = NodeJS.ErrnoException &
  Readonly<{ errcode?: number; port?: number; address?: string; hostname?: string }>

/** @returns the lines to write; undefined: a fault */
function explain(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) {
    return ['These settings keep the service from starting:', ...error.problems.map((p) => `  ${p}`)]
  }
  const line = explainInALine(error)
  return line === undefined ? undefined : [line]
}

function explainInALine(error: unknown): string | undefined {
  if (error instanceof NewerSchemaError) return `This version is too old for the data: ${error.message}.`
  if (error instanceof SchemaInUseError) return `The schema could not be changed: ${error.message}. Look into pg_stat_activity, and start again.`
  if (error instanceof DatabaseAwayError || error instanceof WebAppMissingError || error instanceof DocsMissingError) return error.message
  const { code, syscall, errcode, port, address, hostname, path, message } = error as SystemError
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `Cannot listen on ${address ?? hostname}${port ? `, port ${port}` : ''}: ${code}. Check HOST and PORT.`
  }
  if (errcode === SQLITE_BUSY) return 'Another process holds the database. Stop it, or wait, and start again.'
  if (code === 'ERR_SQLITE_ERROR') return `The database cannot be used: ${message} (SQLite ${errcode}). Check DATABASE_URL, DATA_DIR and their permissions.`
  if (path ?? ['write', 'fsync'].includes(syscall ?? '')) {
    return `The data folder cannot be used: ${code} at ${path ?? 'its files'}. Check DATA_DIR, its permissions and its space.`
  }
  return undefined
}
