/** `paylink-auth doctor`: looks at everything that the service needs, and says of each that it is well or what to do. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../src/config/settings.ts'
import { createBoundedFetch } from '../src/lib/bounded-fetch.ts'
import type { BoundedFetch } from '../src/lib/bounded-fetch.ts'
import { systemClock } from '../src/lib/clock.ts'
import { greetSmtp } from '../src/mail/smtp-transport.ts'
import { isLoopback } from '../src/lib/network.ts'
import { writeJson, writeLine } from '../src/lib/terminal.ts'
import { ConfigError } from '../src/config/load-config.ts'
import { readConfig } from '../src/config/read-config.ts'
import { EXIT_CONFIG, EXIT_FAILED, OperatorError } from '../src/lib/operator-error.ts'
import { onDatabase } from './command.ts'

/** Below this there is no room for a backup, or soon for anything, in bytes. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024
/** How far clocks may be apart, in milliseconds: Google's ID tokens are refused beyond ten seconds. */
const CLOCK_APART_MS = 5000

/** What it can be told. */
export type DoctorOptions = Readonly<{ json?: boolean }>

type Finding = Readonly<{ check: string; ok: boolean; says: string }>
const well = (check: string, says: string): Finding => ({ check, ok: true, says })
const toDo = (check: string, says: string): Finding => ({ check, ok: false, says })

/** Looks, and writes a line each. @returns 0: all is well, 1: there is something to do, 78: the settings are wrong */
export async function doctor({ json }: DoctorOptions): Promise<number> {
  const findings: Finding[] = []
  const found = (finding: Finding) => {
    findings.push(finding)
    if (json) return
    const mark = finding.ok ? ({ style: 'green', text: 'ok   ' } as const) : ({ style: 'red', text: 'TO DO' } as const)
    writeLine(mark, `  ${finding.check.padEnd(10)}  ${finding.says}`)
  }
  let config: Config | undefined
  try {
    config = readConfig()
    found(well('settings', `${config.nodeEnv}, listening on ${config.host}, port ${config.port}`))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) found(toDo('settings', problem))
  }
  if (config !== undefined) await examine(config, found)
  if (json) writeJson({ ok: findings.every(({ ok }) => ok), findings })
  if (config === undefined) return EXIT_CONFIG
  return findings.every(({ ok }) => ok) ? 0 : EXIT_FAILED
}

async function examine(config: Config, found: (finding: Finding) => void): Promise<void> {
  const fetch = createBoundedFetch()
  const clocks: [string, number][] = []
  found(await lookAtDatabase(config, clocks))
  found(await lookAtMail(config))
  found(await lookAtGoogle(config, fetch, clocks))
  found(lookAtClocks(clocks))
  found(await lookAtPublicUrl(config, fetch))
}

async function lookAtDatabase({ database }: Config, clocks: [string, number][]): Promise<Finding> {
  try {
    const atMs = await onDatabase(({ db }) => db.serverTimeMs())
    if (atMs !== undefined) clocks.push(['the database', atMs - systemClock.now()])
  } catch (error) {
    if (error instanceof OperatorError) return toDo('database', error.message)
    return toDo(
      'database',
      `${(error as Error).message}. Check DATABASE_URL, DATA_DIR and their permissions; a damaged one needs a backup.`,
    )
  }
  if (database.kind === 'postgres') return well('database', 'PostgreSQL answers, and its schema is this version’s')
  const { bavail, bsize } = statfsSync(dirname(database.path))
  const freeMb = Math.round((bavail * bsize) / 1e6)
  if (bavail * bsize < LEAST_FREE_BYTES)
    return toDo('database', `${freeMb} MB are free beside ${database.path}: make room, or writes will fail`)
  return well('database', `${database.path}, its schema is this version’s, ${freeMb} MB are free`)
}

async function lookAtMail({ smtpUrl, hasDevelopmentPages }: Config): Promise<Finding> {
  if (smtpUrl === undefined)
    return well('mail', hasDevelopmentPages ? 'goes to the development mailbox' : 'no server is set')
  try {
    await greetSmtp(smtpUrl)
    return well('mail', `${smtpUrl.host} greets${smtpUrl.username ? ', takes the login' : ''}${transportOf(smtpUrl)}`)
  } catch (error) {
    return toDo('mail', `${smtpUrl.host}: ${causeOf(error)}. Check SMTP_URL, its certificate and its login.`)
  }
}

// Anywhere but on this machine the greeting fails without TLS.
function transportOf({ protocol, hostname }: URL): string {
  if (protocol === 'smtps:') return ', over TLS'
  return isLoopback(hostname) ? '' : ', over TLS (STARTTLS)'
}

async function lookAtGoogle({ google }: Config, fetch: BoundedFetch, clocks: [string, number][]): Promise<Finding> {
  if (!google) return well('Google', 'sign-in with Google is not configured')
  try {
    const beganMs = systemClock.now()
    const { status, text, date } = await fetch(`${google.issuer}/.well-known/openid-configuration`)
    const atMs = Date.parse(date ?? '')
    // Told in whole seconds, cut off.
    if (!Number.isNaN(atMs)) clocks.push([google.issuer, atMs + 500 - (beganMs + systemClock.now()) / 2])
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    if (status === 200 && issuer === google.issuer) return well('Google', `${google.issuer} is discovered`)
    return toDo('Google', `${google.issuer} answers ${status} and is issuer ${String(issuer)}. Check GOOGLE_ISSUER.`)
  } catch (error) {
    return toDo('Google', `${google.issuer}: ${causeOf(error)}. Check that this machine may connect to the outside.`)
  }
}

function lookAtClocks(clocks: readonly [string, number][]): Finding {
  const apart = clocks.find(([, byMs]) => Math.abs(byMs) > CLOCK_APART_MS)
  if (apart !== undefined) {
    const [whose, byMs] = apart
    const seconds = Math.round(Math.abs(byMs) / 1000)
    return toDo(
      'clock',
      `this machine’s is ${seconds} s ${byMs > 0 ? 'behind' : 'ahead of'} that of ${whose}. Let NTP set both.`,
    )
  }
  if (clocks.length === 0) return well('clock', 'not looked at: there is no other to compare it with. Let NTP set it.')
  return well('clock', `agrees with ${clocks.map(([whose]) => whose).join(' and ')}`)
}

async function lookAtPublicUrl({ publicUrl, baseUrl, google }: Config, fetch: BoundedFetch): Promise<Finding> {
  try {
    const { status, text } = await fetch(`${baseUrl}/auth/config`)
    const answer = readJson(text) as { google?: { clientId?: string } | null; signup?: unknown } | undefined
    if (status !== 200 || answer?.signup === undefined) {
      return toDo(
        'public URL',
        `${publicUrl} answers ${status}, and not as this service does. Check PUBLIC_URL, DNS and the proxy in front.`,
      )
    }
    if (google && answer.google?.clientId !== google.clientId) {
      return toDo(
        'public URL',
        `at ${publicUrl} runs a service with other settings than these. Restart it, or check PUBLIC_URL.`,
      )
    }
    return well('public URL', `${publicUrl} answers as this service`)
  } catch (error) {
    return toDo(
      'public URL',
      `${publicUrl}: ${causeOf(error)}. Start the service; check PUBLIC_URL, DNS, certificate and the proxy in front.`,
    )
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// `fetch` hides what happened behind "fetch failed".
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  if (!(cause instanceof Error)) return message
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? message)
}
