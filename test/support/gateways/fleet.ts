/** Several processes of the service on one PostgreSQL database, behind a load balancer. */
import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { callAt } from '../http/call.ts'
import type { Answer, Call } from '../http/call.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { startNginx } from './nginx.ts'
import type { Nginx } from './nginx.ts'
import { serveIn } from '../process/served.ts'
import type { Served } from '../process/served.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../mail/smtp.ts'
import type { SmtpStandIn } from '../mail/smtp.ts'

/** Each process has its own folder: they share only the database. */
export type Fleet = Readonly<{
  processes: readonly Served[]
  smtp: SmtpStandIn
  /** Undefined where the fleet runs without a balancer. */
  nginx: Nginx | undefined
  /** The balancer's URL, or else the first process's. */
  baseUrl: string
  call(route: string, call?: Call): Promise<Answer>
  output(): string
  /** Requests a link for an address and returns the token of the mailed link. */
  mailedToken(email: string): Promise<string>
  signIn(email: string): Promise<string>
  /** Restarts one process as a deploy does, and asserts that it ended cleanly; `env` overrides its settings. */
  restart(index: number, env?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
}>

export const POOL_SIZE = 4

/** Starts the processes; `env` applies to every process, `command` runs in place of the build. */
export async function startFleet(
  databaseUrl: string,
  options: Readonly<{
    size?: number
    isBalanced?: boolean
    env?: Record<string, string>
    command?: readonly string[]
  }> = {},
): Promise<Fleet> {
  const { size = 3, isBalanced = false, env = {}, command } = options
  const folder = temporaryFolder()
  const smtp = await startSmtp()
  const ports = await Promise.all(Array.from({ length: size }, freePort))
  const publicPort = isBalanced ? await freePort() : ports[0]
  const publicUrl = `http://127.0.0.1:${publicPort}`
  const serve = (index: number, more: Readonly<Record<string, string>> = {}) => {
    const cwd = join(folder.path, String(index))
    mkdirSync(cwd, { recursive: true })
    const settings = {
      PORT: String(ports[index]),
      PUBLIC_URL: publicUrl,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
      SMTP_URL: smtp.url,
      LOG_LEVEL: 'error',
      ...env,
      ...more,
    }
    return serveIn(cwd, settings, command)
  }
  const processes = await Promise.all(ports.map((_, index) => serve(index)))
  const nginx = isBalanced ? await startNginx(publicPort ?? 0, ports) : undefined
  const baseUrl = `${publicUrl}/api/v1`
  const call = (route: string, made?: Call) => callAt(baseUrl, route, made)
  const mailedToken = async (email: string) => {
    const requested = await call('POST /auth/request', { body: { email } })
    if (requested.status !== 200) throw new Error(`no link: ${requested.text}`)
    return linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')).searchParams.get('token') ?? ''
  }
  return {
    processes,
    smtp,
    nginx,
    baseUrl,
    call,
    output: () => processes.map(({ process }) => process.output()).join('\n'),
    mailedToken,
    async signIn(email) {
      const verified = await call(`GET /auth/verify?token=${await mailedToken(email)}`)
      if (verified.status !== 200) throw new Error(`not signed in: ${verified.text}`)
      return verified.body.token
    },
    async restart(index, more) {
      await processes[index]?.stop()
      processes[index] = await serve(index, more)
    },
    async stop() {
      await Promise.all(
        processes.map(async ({ process }) => {
          process.kill('SIGKILL')
          await process.exited
        }),
      )
      await nginx?.stop()
      await smtp.close()
      folder.remove()
    },
  }
}

/** The status of a process's readiness endpoint. */
export async function readyOf(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/readyz`)
  await answer.text()
  return answer.status
}
