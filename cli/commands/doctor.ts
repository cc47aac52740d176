import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../src/config/settings.ts'
import { createBoundedFetch } from '../../src/lib/bounded-fetch.ts'
import type { BoundedFetch } from '../../src/lib/bounded-fetch.ts'
import { describeConnectionFailure } from '../../src/lib/failure-cause.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { checkSmtpConnection } from '../../src/mail/smtp-transport.ts'
import { isLoopback } from '../../src/lib/network.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { ConfigError } from '../../src/config/load-config.ts'
import { isRootsInFolderOfAnother, realPathOf } from '../../src/lib/process/data-folder.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { EXIT_CONFIG, EXIT_FAILED, OperatorError } from '../../src/lib/process/operator-error.ts'
import { MovedDatabaseError } from '../../src/database/moved.ts'
import { checkFileInUse, UnfitFileError } from '../../src/database/sqlite/file-check.ts'
import { say, withDatabase } from '../command.ts'
import { checkRates } from './doctor-rates.ts'
import { explainSystemError } from '../failure.ts'
import { describeDatabase, describeSource } from './settings.ts'

/** Less leaves no room for a backup, and soon for writes. */
const MIN_FREE_BYTES = 512 * 1024 * 1024
/** Tolerated clock difference: Google's ID tokens are refused beyond ten seconds. */
const MAX_CLOCK_DIFFERENCE_MS = 5000

/** Up to this size, every doctor checks the pages of the file: it takes less than a second. */
const QUICK_CHECK_BYTES = 256 * 1024 * 1024

export type DoctorOptions = Readonly<{ json?: boolean; deep?: boolean }>

type Finding = Readonly<{ check: string; ok: boolean; says: string }>
const passed = (check: string, says: string): Finding => ({ check, ok: true, says })
const toDo = (check: string, says: string): Finding => ({ check, ok: false, says })

/** Writes a line per check. @returns 0: all ok, 1: something to do, 78: invalid settings */
export async function doctor({ json, deep = false }: DoctorOptions): Promise<number> {
  const findings: Finding[] = []
  const report = (finding: Finding) => {
    findings.push(finding)
    if (json) return
    const mark = finding.ok ? ({ style: 'green', text: 'ok   ' } as const) : ({ style: 'red', text: 'TO DO' } as const)
    writeLine(mark, `  ${finding.check.padEnd(10)}  ${finding.says}`)
  }
  let config: Config | undefined
  try {
    config = readConfig()
    const { nodeEnv, host, port, warnings } = config
    if (warnings.length === 0)
      report(passed('settings', `${nodeEnv}, listening on ${host}, port ${port}; from ${describeSource()}`))
    for (const warning of warnings) report(toDo('settings', warning))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) report(toDo('settings', problem))
  }
  if (config !== undefined) await runChecks(config, report, deep)
  if (json) writeJson({ ok: findings.every(({ ok }) => ok), findings })
  if (config === undefined) return EXIT_CONFIG
  return findings.every(({ ok }) => ok) ? 0 : EXIT_FAILED
}

async function runChecks(config: Config, report: (finding: Finding) => void, isDeep: boolean): Promise<void> {
  const fetch = createBoundedFetch()
  const clocks: [string, number][] = []
  const database = await checkDatabase(config, clocks)
  report(database)
  if (isDeep) report(checkDeep(config))
  report(await checkMail(config))
  report(await checkGoogle(config, fetch, clocks))
  report({ check: 'rates', ...(await checkRates(config)) })
  report(checkClocks(clocks))
  report(await checkPublicUrl(config, fetch))
}

async function checkDatabase(config: Config, clocks: [string, number][]): Promise<Finding> {
  const { database } = config
  const name = describeDatabase(database)
  if (database.kind === 'sqlite' && isRootsInFolderOfAnother(realPathOf(database.path)))
    return toDo(
      'database',
      `${name} belongs to root, and its folder to the service’s user, who cannot open it: run chown --reference=${dirname(name)} ${name}`,
    )
  try {
    const found = await withDatabase(config, async ({ db }, isMoved) => ({ isMoved, atMs: await db.serverTimeMs() }))
    if (found.isMoved) return toDo('database', `${name}: ${new MovedDatabaseError().what}`)
    if (found.atMs !== undefined) clocks.push(['the database', found.atMs - systemClock.now()])
    if (database.kind === 'postgres') return passed('database', `${name} answers; its schema matches this version`)
    if (statSync(database.path).size <= QUICK_CHECK_BYTES) checkFileInUse(database.path, false)
  } catch (error) {
    return toDo('database', explainDatabaseError(error, name))
  }
  const { bavail, bsize } = statfsSync(dirname(database.path))
  const freeMb = Math.round((bavail * bsize) / 1e6)
  if (bavail * bsize < MIN_FREE_BYTES)
    return toDo('database', `only ${freeMb} MB free on the disk of ${name}: free some space, or writes will fail`)
  return passed('database', `${name}; its schema matches this version; ${freeMb} MB free`)
}

/** Takes minutes for gigabytes. */
function checkDeep({ database }: Config): Finding {
  const name = describeDatabase(database)
  if (database.kind === 'postgres') return toDo('integrity', `${name}: run pg_amcheck, which PostgreSQL comes with`)
  try {
    if (!statSync(database.path, { throwIfNoEntry: false })?.isFile()) return toDo('integrity', `${name} is missing`)
    say('reading the whole database')
    checkFileInUse(database.path, true)
    return passed('integrity', 'every page, index and foreign key of the file is consistent')
  } catch (error) {
    return toDo('integrity', explainDatabaseError(error, name))
  }
}

function explainDatabaseError(error: unknown, name: string): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof UnfitFileError)
    return `${name}: ${error.message}. Stop the service, keep the damaged files, and restore the last backup.`
  return `${name}: ${explainSystemError(error) ?? (error as Error).message}`
}

async function checkMail({ smtpUrl, hasDevelopmentPages }: Config): Promise<Finding> {
  if (smtpUrl === undefined)
    return passed('mail', hasDevelopmentPages ? 'delivered to the development mailbox' : 'no SMTP server is configured')
  try {
    await checkSmtpConnection(smtpUrl)
    return passed(
      'mail',
      `${smtpUrl.host} answers${smtpUrl.username ? ', accepts the login' : ''}${transportOf(smtpUrl)}`,
    )
  } catch (error) {
    return toDo('mail', `${smtpUrl.host}: ${describeConnectionFailure(error)} Check SMTP_URL.`)
  }
}

// On other hosts the greeting fails without TLS.
function transportOf({ protocol, hostname }: URL): string {
  if (protocol === 'smtps:') return ', over TLS'
  return isLoopback(hostname) ? '' : ', over TLS (STARTTLS)'
}

async function checkGoogle({ google }: Config, fetch: BoundedFetch, clocks: [string, number][]): Promise<Finding> {
  if (!google) return passed('Google', 'sign-in with Google is not configured')
  try {
    const beganMs = systemClock.now()
    const { status, text, date } = await fetch(`${google.issuer}/.well-known/openid-configuration`)
    const atMs = Date.parse(date ?? '')
    // Truncated to whole seconds.
    if (!Number.isNaN(atMs)) clocks.push([google.issuer, atMs + 500 - (beganMs + systemClock.now()) / 2])
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    if (status === 200 && issuer === google.issuer)
      return passed('Google', `${google.issuer} answers with its metadata`)
    return toDo('Google', `${google.issuer} answers ${status} with issuer ${String(issuer)}. Check GOOGLE_ISSUER.`)
  } catch (error) {
    return toDo(
      'Google',
      `${google.issuer}: ${describeConnectionFailure(error)} Check that this machine can make outgoing connections.`,
    )
  }
}

function checkClocks(clocks: readonly [string, number][]): Finding {
  const apart = clocks.find(([, byMs]) => Math.abs(byMs) > MAX_CLOCK_DIFFERENCE_MS)
  if (apart !== undefined) {
    const [whose, byMs] = apart
    const seconds = Math.round(Math.abs(byMs) / 1000)
    return toDo(
      'clock',
      `this machine’s clock is ${seconds} s ${byMs > 0 ? 'behind' : 'ahead of'} that of ${whose}. Synchronise both with NTP.`,
    )
  }
  if (clocks.length === 0)
    return passed('clock', 'not checked: there is no other clock to compare with. Synchronise it with NTP.')
  return passed('clock', `agrees with ${clocks.map(([whose]) => whose).join(' and ')}`)
}

async function checkPublicUrl({ publicUrl, baseUrl, google }: Config, fetch: BoundedFetch): Promise<Finding> {
  try {
    const { status, text } = await fetch(`${baseUrl}/auth/config`)
    const answer = readJson(text) as { google?: { clientId?: string } | null; signup?: unknown } | undefined
    if (status !== 200 || answer?.signup === undefined) {
      return toDo(
        'public URL',
        `${publicUrl} answers ${status}, but not like this service. Check PUBLIC_URL, DNS and the proxy in front.`,
      )
    }
    if (google && answer.google?.clientId !== google.clientId) {
      return toDo(
        'public URL',
        `the service at ${publicUrl} runs with different settings. Restart it, or check PUBLIC_URL.`,
      )
    }
    return passed('public URL', `${publicUrl} answers like this service`)
  } catch (error) {
    return toDo(
      'public URL',
      `${publicUrl}: ${describeConnectionFailure(error)} Start the service; check PUBLIC_URL, DNS, certificate and the proxy in front.`,
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
