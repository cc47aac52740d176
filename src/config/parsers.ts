/** Parsers of settings. Error messages say what the value must be and never quote it. */
import { BlockList, isIP } from 'node:net'
import { emailAddressProblem, parseEmailAddress } from '../lib/text/email-address.ts'
import { isLoopback } from '../lib/network.ts'
import { checkPostgresUrl } from './postgres-url.ts'

/** @throws an `Error` whose message completes "NAME …" */
export type Parser<T> = (text: string) => T

/** At most `count` uses per `seconds`. */
export type Rate = Readonly<{ count: number; seconds: number }>

export const text: Parser<string> = (value) => {
  if (value === '') throw new Error('must not be empty')
  return value
}

export function oneOf<const T extends string>(...allowed: T[]): Parser<T> {
  return (value) => {
    const found = allowed.find((word) => word === value)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

/** Both bounds are inclusive. */
export function integer(min: number, max: number): Parser<number> {
  return (value) => {
    const number = Number(value)
    if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** @param schemes with their colons, such as `https:` */
export function url(...schemes: string[]): Parser<URL> {
  return (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !schemes.includes(parsed.protocol) || parsed.hostname === '') {
      throw new Error(`must be a URL that starts with ${schemes.map((s) => `${s}//`).join(' or ')}`)
    }
    return parsed
  }
}

/** An http or https URL without user name and password, because it is shown or logged. */
export const urlWithoutLogin: Parser<URL> = (value) => {
  const parsed = url('http:', 'https:')(value)
  if (parsed.username !== '' || parsed.password !== '')
    throw new Error('must be a URL without a user name and a password')
  return parsed
}

export const urlOrOff: Parser<URL | 'off'> = (value) => (value === 'off' ? 'off' : urlWithoutLogin(value))

/** The URL of an SMTP server; its user name and password must be decodable. */
export const smtpServer: Parser<URL> = (value) => {
  const parsed = url('smtp:', 'smtps:')(value)
  try {
    decodeURIComponent(parsed.username + parsed.password)
  } catch {
    throw new Error('has a % in its user or password that must be written as %25')
  }
  return parsed
}

export type DatabaseLocation = Readonly<{ kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }>

/**
 * `sqlite:PATH` (an ordinary file, no in-memory database or SQLite URI) or `postgres://…`. PostgreSQL without TLS is
 * accepted only on loopback or with an explicit `sslmode`.
 */
export const database: Parser<DatabaseLocation> = (value) => {
  if (/^postgres(ql)?:/.test(value)) return { kind: 'postgres', url: postgresServer(value) }
  const [, path = ''] = /^sqlite:(?!\/\/|file:|:memory:)(.+)$/.exec(value) ?? []
  if (path === '') {
    throw new Error(
      'must be sqlite:PATH, for example sqlite:./data/paylink-auth.db, or postgres://user:password@host/database',
    )
  }
  return { kind: 'sqlite', path }
}

function postgresServer(value: string): string {
  if (/^postgres(ql)?:\/\/./.test(value) && !hasEncodedLogin(value)) {
    throw new Error(
      'must be a URL with a valid host and port, in which characters such as # / ? @ % of the password are percent-encoded (# is %23)',
    )
  }
  const parsed = url('postgres:', 'postgresql:')(value)
  checkPostgresUrl(parsed)
  return parsed.href
}

// With a # / or ? in it, a password that begins like a port would be read as one, and the user as the host.
function hasEncodedLogin(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { username, password, pathname, searchParams, hash } = new URL(value)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return ![pathname, hash, ...searchParams.keys()].some((part) => part.includes('@'))
}

/** An http or https origin: no path, query or login. */
export const origin: Parser<string> = (value) => {
  const parsed = url('http:', 'https:')(value)
  if (parsed.href !== `${parsed.origin}/`) {
    throw new Error('must be scheme, host and port only, for example https://auth.example.com')
  }
  return parsed.origin
}

/** An OpenID issuer, kept verbatim because issuers are compared as text. Plain HTTP is accepted on loopback only. */
export const issuer: Parser<string> = (value) => {
  const parsed = url('https:', 'http:')(value)
  const isPlainText = parsed.search === '' && parsed.hash === '' && parsed.username === '' && parsed.password === ''
  if (!isPlainText || value.endsWith('/'))
    throw new Error('must be a URL without query, fragment, user or slash at its end')
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new Error('must be an https URL unless its host is loopback')
  return value
}

// Secrets from published JWT examples: they pass the length and variety checks, and are in word lists.
const PUBLISHED_SECRETS = new Set([
  'a-string-secret-at-least-256-bits-long',
  'a-valid-string-secret-that-is-at-least-384-bits-long',
  'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
  'your-256-bit-secret-your-256-bit-secret',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'super-secret-jwt-token-with-at-least-32-characters-long',
  '0123456789abcdef0123456789abcdef',
  '12345678901234567890123456789012',
  'abcdefghijklmnopqrstuvwxyz123456',
  'abcdefghijklmnopqrstuvwxyz0123456789',
])

/** A key for HMAC-SHA-256: at least 32 bytes (RFC 7518, section 3.2), and not obviously typed by hand. */
export const hmacSecret: Parser<string> = (value) => {
  if (Buffer.byteLength(value, 'utf8') < 32) throw new Error('must be at least 32 bytes long')
  // JWT_SECRET_VERIFY is separated by white space, so a secret with white space could never be rotated out.
  if (/\s/.test(value)) throw new Error('must not contain white space')
  if (new Set(value).size < 10 || PUBLISHED_SECRETS.has(value))
    throw new Error('must be random: openssl rand -base64 48')
  return value
}

/** Zero or more HMAC secrets, separated by white space. */
export const hmacSecrets: Parser<string[]> = (value) =>
  value
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(hmacSecret)

/** A bearer token (RFC 6750, section 2.1) that is too long to guess. */
export const bearerToken: Parser<string> = (value) => {
  if (!/^[\w.~+/-]{32,}=*$/.test(value)) throw new Error('must be at least 32 letters, digits or - . _ ~ + /')
  if (new Set(value).size < 8) throw new Error('must be random: openssl rand -hex 32')
  return value
}

/** Returns the stored form. */
export const emailAddress: Parser<string> = (value) => {
  const address = parseEmailAddress(value)
  if (address === undefined) throw new Error(`must be one plain e-mail address: ${emailAddressProblem(value)}`)
  return address
}

/** Comma-separated IP addresses and CIDR ranges. */
export const addressRanges: Parser<string[]> = (value) => {
  const ranges = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const range of ranges) {
    const [address = '', prefix, rest] = range.split('/')
    const family = isIP(address)
    try {
      if (family === 0 || rest !== undefined) throw new Error()
      const bits = prefix === undefined ? 32 : integer(1, 128)(prefix)
      new BlockList().addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
    } catch {
      throw new Error('must be IP addresses or CIDR ranges, separated by commas')
    }
  }
  return ranges
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A count and a duration, for example `5/15m` (s, m, h, d). */
export const rate: Parser<Rate> = (value) => {
  const [, count, amount, unit] = /^(\d{1,9})\/(\d{1,5})([smhd])$/.exec(value) ?? []
  const seconds = Number(amount) * SECONDS[unit as keyof typeof SECONDS]
  // Node's timers overflow after 24 days.
  if (!(Number(count) > 0 && seconds > 0 && seconds <= 24 * SECONDS.d)) {
    throw new Error('must be a count and a duration of at most 24d, for example 5/15m')
  }
  return { count: Number(count), seconds }
}
