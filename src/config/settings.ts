/** All settings. `.env.example` and the table of docs/settings.md are generated from it. */
import { logLevels } from '../lib/log.ts'
import { setting } from './setting.ts'
import {
  addressRanges,
  bearerToken,
  database,
  emailAddress,
  hmacSecret,
  hmacSecrets,
  integer,
  issuer,
  oneOf,
  origin,
  smtpServer,
  text,
  url,
  urlOrOff,
  urlWithoutLogin,
} from './parsers.ts'
import { rateSettings } from './rate-limit-settings.ts'

/** Undoing a theft reads the events and ended keys of this time. */
export const MIN_EVENTS_KEEP_DAYS = 30

/** Every entry becomes a field of `Config`. */
export const settings = {
  nodeEnv: setting({
    name: 'NODE_ENV',
    parse: oneOf('development', 'production'),
    defaultText: 'development',
    why: '`production` refuses to start without the settings that a public service needs, and has no development pages.',
  }),
  host: setting({
    name: 'HOST',
    parse: text,
    defaultNote: '127.0.0.1, in production 0.0.0.0',
    why: 'The address to listen on.',
  }),
  port: setting({
    name: 'PORT',
    parse: integer(1, 65_535),
    defaultText: '3000',
    why: 'The port to listen on.',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    parse: origin,
    defaultNote: 'http://localhost:PORT in development',
    why: 'The public URL of this service. Mailed links and the tokens’ `iss` and `aud` are made from it, never from a request header.',
  }),
  appUrl: setting({
    name: 'APP_URL',
    parse: url('http:', 'https:'),
    defaultNote: 'PUBLIC_URL',
    why: 'The application frontend: its origin is the only one `redirectTo` and CORS allow.',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    parse: text,
    defaultText: './data',
    why: 'The folder of the embedded database and, in development, of the generated signing secret.',
  }),
  database: setting({
    name: 'DATABASE_URL',
    parse: database,
    isSecret: true,
    defaultNote: 'sqlite:DATA_DIR/paylink-auth.db',
    why: 'The database: a file, or `postgres://user:password@host/database` for any number of processes.',
  }),
  databasePoolSize: setting({
    name: 'DATABASE_POOL_SIZE',
    parse: integer(2, 100),
    defaultText: '10',
    why: 'How many connections to PostgreSQL this process opens at most.',
  }),
  jwtSecret: setting({
    name: 'JWT_SECRET',
    parse: hmacSecret,
    isSecret: true,
    defaultNote: 'in development generated into DATA_DIR/jwt-secret',
    why: 'Signs access tokens (HS256). At least 32 bytes; make one with `openssl rand -base64 48`.',
  }),
  jwtSecretVerify: setting({
    name: 'JWT_SECRET_VERIFY',
    parse: hmacSecrets,
    isSecret: true,
    defaultText: '',
    why: 'Further secrets, separated by white space, that verify but never sign: for rotation without ending sessions.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    parse: smtpServer,
    isSecret: true,
    defaultNote: 'in development mail goes to /dev/mailbox',
    why: 'The mail server, `smtps://user:password@host:465` or `smtp://…:587` (STARTTLS is required unless the host is loopback).',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    parse: emailAddress,
    defaultNote: 'no-reply@ the host of PUBLIC_URL',
    why: 'The sender of all mail.',
  }),
  googleClientId: setting({
    name: 'GOOGLE_CLIENT_ID',
    parse: text,
    defaultNote: 'none; in development a local stand-in for Google',
    why: 'The OAuth client for sign-in with Google. Set together with `GOOGLE_CLIENT_SECRET`.',
  }),
  googleClientSecret: setting({
    name: 'GOOGLE_CLIENT_SECRET',
    parse: text,
    isSecret: true,
    defaultNote: 'none',
    why: 'The secret of that client.',
  }),
  googleIssuer: setting({
    name: 'GOOGLE_ISSUER',
    parse: issuer,
    defaultText: 'https://accounts.google.com',
    why: 'The OpenID provider; its endpoints are discovered. Providers other than Google are for tests.',
  }),
  signup: setting({
    name: 'SIGNUP',
    parse: oneOf('open', 'closed'),
    defaultText: 'open',
    why: '`closed` refuses new accounts on every path; existing accounts keep working.',
  }),
  sessionIdleDays: setting({
    name: 'SESSION_IDLE_DAYS',
    parse: integer(1, 6),
    defaultNote: 'off',
    why: 'After how many days without use a person’s sign-in ends, before its seven days are over.',
  }),
  eventsKeepDays: setting({
    name: 'EVENTS_KEEP_DAYS',
    parse: integer(MIN_EVENTS_KEEP_DAYS, 3650),
    defaultText: '180',
    why: 'How many days users can look up their security events, at least 30.',
  }),
  paymentLinkRetentionDays: setting({
    name: 'PAYMENT_LINK_RETENTION_DAYS',
    parse: integer(1, 36_500),
    defaultText: '400',
    why: 'How many days a payment link stays on record after it expired or was deactivated. Then it is deleted.',
  }),
  unclaimedAccountRetentionDays: setting({
    name: 'UNCLAIMED_ACCOUNT_RETENTION_DAYS',
    parse: integer(1, 36_500),
    defaultNote: 'off',
    why: 'After how many days without use an account is deleted that nobody has claimed. Accounts with a payment link or a Google account stay.',
  }),
  paymentUrl: setting({
    name: 'PAYMENT_URL',
    parse: urlWithoutLogin,
    defaultNote: 'PUBLIC_URL/pay',
    why: 'Where payment links lead: the id of the link is added to its path.',
  }),
  paymentLinkLimit: setting({
    name: 'PAYMENT_LINK_LIMIT',
    parse: integer(1, 1_000_000),
    defaultText: '100000',
    why: 'How many payment links one account can have on record, deactivated and expired ones included. Links created before the account was claimed do not count for its owner.',
  }),
  exchangeRatesUrl: setting({
    name: 'EXCHANGE_RATES_URL',
    parse: urlOrOff,
    defaultText: 'https://www.bnr.ro/nbrfxrates.xml',
    why: 'The reference rates of the National Bank of Romania, read on start and daily. With `off`, load them with `paylink-auth rates load FILE`.',
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    parse: addressRanges,
    defaultText: '',
    why: 'Addresses or CIDR ranges, separated by commas, of the proxies whose `X-Forwarded-For` is trusted.',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    parse: oneOf(...logLevels),
    defaultText: 'info',
    why: 'How much is logged.',
  }),
  requestLog: setting({
    name: 'REQUEST_LOG',
    parse: oneOf('all', 'without-checks'),
    defaultText: 'all',
    why: 'Which requests are logged. `without-checks` leaves out successful calls of `/auth/check`, `/healthz`, `/readyz` and `/metrics`.',
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    parse: bearerToken,
    isSecret: true,
    defaultNote: 'none',
    why: 'Enables `/metrics`, with this bearer token. At least 32 characters; make one with `openssl rand -hex 32`.',
  }),
  changesToken: setting({
    name: 'CHANGES_TOKEN',
    parse: bearerToken,
    isSecret: true,
    defaultNote: 'none',
    why: 'Enables `GET /auth/changes`, the feed of deleted and disabled accounts for services behind, with this bearer token. At least 32 characters; make one with `openssl rand -hex 32`.',
  }),
  ...rateSettings,
}

export type SettingValues = {
  [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']>
}

/** The OAuth client of this service. */
export type GoogleSettings = Readonly<{ clientId: string; clientSecret: string; issuer: string }>

/** The settings, validated, with computed defaults. */
export type Config = Readonly<
  Omit<
    SettingValues,
    'smtpUrl' | 'metricsToken' | 'changesToken' | 'googleClientId' | 'googleClientSecret' | 'googleIssuer'
  > & {
    /** Null: sign-in with Google is not configured. */
    google: GoogleSettings | null
    /** Undefined: the development mailbox takes the mail. */
    smtpUrl: URL | undefined
    /** The bearer token of `/metrics`; undefined: there is no `/metrics`, and nothing is counted. */
    metricsToken: string | undefined
    /** The bearer token of `GET /auth/changes`; undefined: the path does not exist. */
    changesToken: string | undefined
    /** PUBLIC_URL plus `/api/v1`; the audience of every token. */
    baseUrl: string
    isProduction: boolean
    /** Not production, bound to loopback, with loopback URLs only. All development conveniences depend on this. */
    hasDevelopmentPages: boolean
    /** Variables that look like misspelt settings, one sentence each, without their values. */
    warnings: readonly string[]
  }
>
