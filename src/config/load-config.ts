import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from './settings.ts'
import type { Config, SettingValues } from './settings.ts'
import { keyIdOfSecret } from '../lib/hash.ts'
import { isLoopback } from '../lib/network.ts'
import { EXIT_CONFIG, OperatorError } from '../lib/process/operator-error.ts'
import { hmacSecret, rate } from './parsers.ts'
import type { Rate } from './parsers.ts'
import { nearestRateLimit, nearestSetting, variables } from './variables.ts'

/** The settings are invalid; `problems` has one line per cause. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'), EXIT_CONFIG, {
      lines: ['The service cannot start with these settings:', ...problems.map((problem) => `  ${problem}`)],
    })
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param developmentSecret reads or creates the signing secret in the data folder; called only in development, when no
 * other problem was found and `JWT_SECRET` is unset
 * @throws {ConfigError} with every problem; no problem quotes the value of a setting
 */
export function loadConfig(environment: Environment, developmentSecret: (dataDir: string) => string): Config {
  const problems: string[] = []
  const values = parseAll(environment, problems)
  problems.push(...unknownRateLimits(environment), ...namesWithByteOrderMark(environment))
  const isProduction = values.nodeEnv === 'production'
  const misspelt = misspeltSettings(environment)
  // Without it, production would use the embedded database: empty, and not the one that was meant.
  const isFatal = ({ meant }: Misspelt) =>
    isProduction && values.database === undefined && meant.startsWith(settings.database.name)
  problems.push(...misspelt.filter(isFatal).map(({ says }) => says))
  const warnings = misspelt.filter((one) => !isFatal(one)).map(({ says }) => says)
  const host = values.host ?? (isProduction ? '0.0.0.0' : '127.0.0.1')
  const openedBy = isProduction ? [] : settingsThatOpen(host, values)
  const hasDevelopmentPages = !isProduction && openedBy.length === 0

  if (isProduction) problems.push(...productionProblems(environment, values, problems))
  if (values.smtpUrl === undefined) {
    for (const { name, onLoopback } of openedBy) {
      problems.push(
        `${name} is not loopback, so the development mailbox is off: set SMTP_URL (a public service also needs NODE_ENV=production), or set ${onLoopback}`,
      )
    }
  }
  const { googleClientId: clientId, googleClientSecret: clientSecret } = values
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    problems.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together: set both or neither')
  }
  if (environment['GOOGLE_ISSUER'] && clientId === undefined) {
    problems.push('GOOGLE_ISSUER needs GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET')
  }
  if (problems.length === 0) values.jwtSecret ??= checkedSecret(developmentSecret(values.dataDir ?? ''))
  const secrets = [values.jwtSecret ?? [], values.jwtSecretVerify ?? []].flat()
  if (new Set(secrets.map(keyIdOfSecret)).size < secrets.length) {
    problems.push('JWT_SECRET and JWT_SECRET_VERIFY contain two secrets with the same key id: remove or change one')
  }
  if (problems.length > 0) throw new ConfigError([...problems, ...warnings])

  const {
    googleClientId: _id,
    googleClientSecret: _secret,
    googleIssuer: issuer,
    ...complete
  } = values as SettingValues
  const publicUrl = values.publicUrl ?? new URL(`http://localhost:${complete.port}`).origin
  return {
    ...complete,
    ...(hasDevelopmentPages && generousRates(environment, values as SettingValues)),
    host,
    publicUrl,
    baseUrl: `${publicUrl}/api/v1`,
    appUrl: values.appUrl ?? new URL(publicUrl),
    database: values.database ?? { kind: 'sqlite', path: join(complete.dataDir, 'paylink-auth.db') },
    paymentUrl: values.paymentUrl ?? new URL(`${publicUrl}/pay`),
    mailFrom: values.mailFrom ?? `no-reply@${new URL(publicUrl).hostname}`,
    smtpUrl: values.smtpUrl,
    metricsToken: values.metricsToken,
    changesToken: values.changesToken,
    google: clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret, issuer } : null,
    isProduction,
    hasDevelopmentPages,
    warnings,
  }
}

/** A limit that does not exist would leave the real one at its default, unnoticed until the flood. */
function unknownRateLimits(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('RATE_LIMIT_') && environment[name] && !variables.has(name))
    .map((name) => `${name} is not a setting${didYouMean(nearestRateLimit(name))}`)
}

/** The first name of a file that an editor saved so. A lost `NODE_ENV=production` would mean development, unnoticed. */
function namesWithByteOrderMark(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('\uFEFF'))
    .map((name) => `${name.slice(1)} has an invisible byte order mark (U+FEFF) before it: save its file without one`)
}

type Misspelt = Readonly<{ meant: string; says: string }>

function misspeltSettings(environment: Environment): Misspelt[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = environment[name] && !/^(RATE_LIMIT_|\uFEFF)/.test(name) ? nearestSetting(name) : undefined
    return meant === undefined ? [] : [{ meant, says: `${name} is not a setting${didYouMean(meant)}` }]
  })
}

const didYouMean = (name: string | undefined) => (name === undefined ? '' : `: did you mean ${name}?`)

/** A setting with a public address, and the value that limits it to loopback. */
type Reachable = Readonly<{ name: string; onLoopback: string }>

// A public address in development means that NODE_ENV was forgotten, even behind a proxy on the same machine.
function settingsThatOpen(host: string, { publicUrl, appUrl }: Partial<SettingValues>): Reachable[] {
  return [
    { name: 'HOST', hostname: host, onLoopback: 'HOST=127.0.0.1' },
    {
      name: 'PUBLIC_URL',
      hostname: publicUrl && new URL(publicUrl).hostname,
      onLoopback: 'PUBLIC_URL=http://localhost:PORT',
    },
    { name: 'APP_URL', hostname: appUrl?.hostname, onLoopback: 'an APP_URL on localhost' },
  ].filter(({ hostname }) => hostname !== undefined && !isLoopback(hostname))
}

// The file may have been emptied or edited by hand. An empty key would verify tokens signed with an empty key.
function checkedSecret(secret: string): string {
  try {
    return hmacSecret(secret)
  } catch (error) {
    const problem = `the secret stored in DATA_DIR ${(error as Error).message}`
    throw new ConfigError([`JWT_SECRET is not set, and ${problem}: delete the file jwt-secret to generate a new one`])
  }
}

function productionProblems(
  environment: Environment,
  values: Partial<SettingValues>,
  found: readonly string[],
): string[] {
  // Checks the value, not the variable: a `_FILE` variable may name an empty file.
  const isMissing = (key: keyof typeof settings) =>
    values[key] === undefined && !found.some((problem) => problem.startsWith(`${settings[key].name} `))
  return [
    isMissing('jwtSecret') && 'JWT_SECRET is required in production: openssl rand -base64 48',
    isMissing('publicUrl') && 'PUBLIC_URL is required in production',
    isMissing('smtpUrl') && 'SMTP_URL is required in production',
    isPlain(values.publicUrl) && 'PUBLIC_URL must be an https URL in production',
    isPlain(values.appUrl?.href) && 'APP_URL must be an https URL in production',
    environment['DATABASE_URL'] === '' &&
      !environment['DATABASE_URL_FILE'] &&
      'DATABASE_URL is set but empty: complete it, or remove it to use the embedded database in DATA_DIR',
    environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' &&
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks of the mail server: remove it',
  ].filter((problem) => problem !== false)
}

const isPlain = (url: string | undefined) => url !== undefined && !url.startsWith('https:')

function parseAll(environment: Environment, problems: string[]): Partial<SettingValues> {
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) {
    try {
      const text = readValue(environment, setting.name, 'isSecret' in setting) ?? setting.defaultText
      if (text !== undefined) values[key] = setting.parse(text)
    } catch (error) {
      problems.push(`${setting.name} ${(error as Error).message}`)
    }
  }
  return values
}

// Compose files and shells unset a variable by leaving it empty.
function readValue(environment: Environment, name: string, isSecret: boolean): string | undefined {
  const direct = environment[name] || undefined
  const file = isSecret ? environment[`${name}_FILE`] || undefined : undefined
  if (file === undefined) return direct
  if (direct !== undefined) throw new Error(`and ${name}_FILE are both set: remove one`)
  return readSecret(file, name)
}

function readSecret(file: string, name: string): string | undefined {
  let text
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch {
    throw new Error(`cannot be read from the file that ${name}_FILE names`)
  }
  // Unset, it would mean the embedded database.
  if (text === '' && name === settings.database.name) throw new Error(`is empty in the file that ${name}_FILE names`)
  return text || undefined
}

// On a development machine all requests come from one client.
function generousRates(environment: Environment, values: SettingValues): Partial<SettingValues> {
  const rates: Record<string, Rate> = {}
  for (const [key, setting] of Object.entries(settings)) {
    if (setting.parse !== rate || environment[setting.name]) continue
    const { count, seconds } = values[key as keyof SettingValues] as Rate
    rates[key] = { count: count * 100, seconds }
  }
  return rates
}
