/** The service as `main` builds it, in the test's process: a real socket, a database, a real SMTP server. */
import { buildApp } from '../../src/app.ts'
import type { Database } from '../../src/database/database.ts'
import type { Deps } from '../../src/http/deps.ts'
import { openCore } from '../../src/core.ts'
import { createRuntime } from '../../src/runtime.ts'
import type { App } from '../../src/http/endpoint.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSmtpTransport } from '../../src/mail/smtp-transport.ts'
import type { MailTransport } from '../../src/mail/smtp-transport.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { callAt } from './http/call.ts'
import type { Answer, Call } from './http/call.ts'
import { manualClock } from './clock.ts'
import type { ManualClock } from './clock.ts'
import { newDatabase, PATIENT } from './database/database.ts'
import { freePort, temporaryFolder } from './files.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from './mail/smtp.ts'
import type { SmtpStandIn } from './mail/smtp.ts'

export type { Answer, Call } from './http/call.ts'

export type Service = Readonly<{
  origin: string
  baseUrl: string
  app: App
  deps: Deps
  db: Database
  databaseUrl: string
  clock: ManualClock
  smtp: SmtpStandIn
  /** Whether a mail is being sent, including one that a newer mail has replaced in the queue. */
  isSending(): boolean
  logLines: string[]
  /** `method path` below the base URL, for example `POST /auth/request`. Never follows a redirect. */
  call(route: string, call?: Call): Promise<Answer>
  /** Signs in by magic link through the mail, and returns the access token. */
  signIn(email: string): Promise<string>
  signUp(email: string): Promise<any>
  close(): Promise<void>
}>

/**
 * Starts a service. Rate limits are off unless `env` sets them.
 * @param env settings that differ from the defaults here
 * @param prepare may add hooks before the routes exist
 */
export async function startService(env: Record<string, string> = {}, prepare?: (app: App) => void): Promise<Service> {
  const folder = temporaryFolder()
  const smtp = await startSmtp()
  const port = await freePort()
  const database = await newDatabase(folder.path)
  const config = loadConfig(
    {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: folder.path,
      DATABASE_URL: database.url,
      JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'no-reply@paylink.example',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
      ...env,
    },
    () => {
      throw new Error('a test needs no generated secret')
    },
  )
  const clock = manualClock()
  const logLines: string[] = []
  const log = createLog(config.logLevel, { write: (line) => void logLines.push(line) })
  const core = openCore(config, log, { clock, timeLimits: PATIENT })
  const { db } = core
  const smtpTransport = createSmtpTransport(config.smtpUrl ?? new URL(smtp.url), config.mailFrom)
  let sending = 0
  const transport: MailTransport = {
    async send(mail, signal) {
      sending += 1
      try {
        await smtpTransport.send(mail, signal)
      } finally {
        sending -= 1
      }
    },
    close: () => smtpTransport.close(),
  }
  const runtime = await createRuntime(core, { transport, sharedBucketTimeoutMs: PATIENT.sharedBucketTimeoutMs })
  const { deps } = runtime
  const app = await buildApp(deps, prepare)
  await app.listen({ host: '127.0.0.1', port })
  runtime.startMailQueue()

  const { publicUrl: origin, baseUrl } = config

  const call = (route: string, options?: Call) => callAt(baseUrl, route, options)

  return {
    origin,
    baseUrl,
    app,
    deps,
    db,
    databaseUrl: database.url,
    clock,
    smtp,
    isSending: () => sending > 0,
    logLines,
    call,
    async signIn(email) {
      const requested = await call('POST /auth/request', { body: { email } })
      if (requested.status !== 200) throw new Error(`no link: ${requested.text}`)
      const link = linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?'))
      const verified = await call(`GET /auth/verify${link.search}`)
      if (verified.status !== 200) throw new Error(`not signed in: ${verified.text}`)
      return verified.body.token
    },
    async signUp(email) {
      const answer = await call('POST /auth/api/signup', { body: { email } })
      if (answer.status !== 201) throw new Error(`not signed up: ${answer.text}`)
      await smtp.mailTo(email)
      return answer.body
    },
    async close() {
      // Idle connections of the test's client would be drained for a tenth of a second.
      app.server.closeIdleConnections()
      await app.close()
      await runtime.close()
      await database.remove()
      await smtp.close()
      folder.remove()
    },
  }
}
