import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import type { Config } from './config/settings.ts'
import type { Database } from './database/database.ts'
import { lockForService } from './database/sqlite/file-lock.ts'
import type { FileLock } from './database/sqlite/file-lock.ts'
import { createLocalGoogle } from './dev/local-google.ts'
import { createDevelopmentMailbox } from './dev/mailbox.ts'
import { addPageStyle } from './dev/page-style.ts'
import { sampleRates } from './dev/sample-rates.ts'
import type { CoreDeps } from './domain/deps.ts'
import type { App } from './http/endpoint.ts'
import { stopListening } from './http/server/drain.ts'
import { sleep } from './lib/clock.ts'
import { createLog } from './lib/log.ts'
import { EXIT_FAILED } from './lib/process/operator-error.ts'
import { onOutputError, writeErrorLine, writeLine } from './lib/text/terminal.ts'
import { createThreadedTransport } from './mail/threaded-transport.ts'
import { migrateDatabase, openCore } from './core.ts'
import { createRuntime } from './runtime.ts'

/** The process exits after this time even if shutdown has not finished. */
const CLOSE_TIMEOUT_MS = 10_000
/** Grace period for requests in flight. Then those that wait for a lock are refused, and later connections are closed. */
const FINISH_REQUESTS_MS = 2500
const ANSWER_REFUSED_MS = 500
/**
 * Signals for an instruction that the processor cannot execute; a failing disk causes SIGBUS for the memory-mapped file
 * of the embedded database. With a handler, the same instruction would run again for ever.
 */
const NEVER_HANDLED = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const
/** Sent out of habit to have logs opened anew. On SIGUSR1 Node would open its debugger to every user of the machine. */
const MEANINGLESS = ['SIGUSR1', 'SIGUSR2'] as const

/** @param evenThoughMoved whether to serve an embedded database that was copied to PostgreSQL */
export async function serve(config: Config, evenThoughMoved: boolean): Promise<void> {
  const log = createLog(config.logLevel)
  // A full disk below the log would otherwise refuse the start, and a service needs no reader of its greeting.
  onOutputError(() => {})
  for (const signal of MEANINGLESS) process.on(signal, () => log.warn({ signal }, 'this signal does nothing'))
  const lock = await lockFile(config.database)
  await migrateDatabase(config, log, evenThoughMoved)
  await run(openCore(config, log, { onDatabaseLost: endAtOnce }), lock)
}

/** Of a second service on the file, neither would know the other's rate limits and unsynced commits. */
async function lockFile(database: Config['database']): Promise<FileLock | undefined> {
  if (database.kind === 'postgres') return undefined
  return lockForService(database.path, () =>
    writeErrorLine(`Another service or a restore has ${database.path} open. Waiting for it to end.`),
  )
}

// Not a graceful end: no answer may be given that could claim a write.
function endAtOnce({ message }: Error): void {
  writeErrorLine(
    `The database can no longer be trusted: ${message}. The service ends without acknowledging anything more. Check the disk before it starts again.`,
  )
  process.exit(EXIT_FAILED)
}

async function run(core: CoreDeps, lock: FileLock | undefined): Promise<void> {
  const { config, log } = core
  const localGoogle = createLocalGoogle(config, core.random)
  const mailbox = createDevelopmentMailbox(core.clock)
  const transport = config.smtpUrl ? createThreadedTransport(config.smtpUrl, config.mailFrom, log) : mailbox.transport
  const runtime = await createRuntime(core, {
    transport,
    google: config.google ?? localGoogle?.settings ?? null,
    ...(config.hasDevelopmentPages && { sampleRates }),
  })
  const app = await buildApp(runtime.deps, (pages) => {
    if (config.hasDevelopmentPages) addPageStyle(pages)
    if (config.hasDevelopmentPages && !config.smtpUrl) mailbox.addPages(pages)
    localGoogle?.addPages(pages)
  })

  await app.listen({ host: config.host, port: config.port })
  runtime.startMailQueue()
  runtime.startBackgroundWork()
  const onTimeout = () => log.error('closing took too long; the process exits before it has finished')
  closeWithGrace(
    { delay: CLOSE_TIMEOUT_MS, logger: false, onTimeout, skip: [...NEVER_HANDLED, 'SIGUSR2'] },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'closing after an uncaught error')
      else log.info({ signal }, 'closing')
      await closeServer(app, core.db)
      await runtime.close()
      lock?.release()
      log.info('closed')
    },
  )
  for (const line of greeting(config, localGoogle !== undefined)) writeLine(line)
}

// A request that never ends must not block the shutdown of everything else.
async function closeServer(app: App, db: Database): Promise<void> {
  await stopListening(app)
  const closed = new AbortController()
  const closing = app.close().finally(() => closed.abort())
  await sleep(FINISH_REQUESTS_MS, closed.signal)
  db.refuseWaiting()
  await sleep(ANSWER_REFUSED_MS, closed.signal)
  app.server.closeAllConnections()
  await closing
}

function greeting(config: Config, hasLocalGoogle: boolean): string[] {
  const google = hasLocalGoogle
    ? 'is a local stand-in'
    : config.google
      ? `is on; its redirect URI is ${config.baseUrl}/auth/google/callback`
      : 'is not configured'
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
    ...(config.signup === 'closed'
      ? []
      : [
          'Sign up as a program:',
          '',
          `  curl ${config.baseUrl}/auth/api/signup -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'`,
          '',
        ]),
  ]
}
