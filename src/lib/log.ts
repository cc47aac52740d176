/** Structured logs (JSON lines on standard output) that never hold a secret, a link or a query string. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { visibleJson } from './terminal.ts'

/** The logger everything else is given. */
export type Log = Logger

/** The levels `LOG_LEVEL` takes, from silent to loudest. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number]

// Key secrets, JWTs, link tokens (43 base64url characters) and anything behind `token=`.
const secretShaped = /pls_\w*|eyJ[\w.-]+|(?<=token=)[^&\s]+|(?<![\w-])[\w-]{43}(?![\w-])/g

/** The text with everything shaped like a secret of ours taken out. */
export function redact(text: string): string {
  return text.replace(secretShaped, '[redacted]')
}

/**
 * What of an error may be logged. Its own properties are left out on purpose: an SMTP error carries
 * the server's words and the recipient, a database error the values of the row. A SyntaxError's
 * message quotes what was parsed, so it goes too.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof SyntaxError ? {} : { message: redact(error.message) }),
    frames: framesOf(error),
  }
}

// Without the message, whose lines may look like frames: they could quote what was parsed, or a secret.
function framesOf({ stack = '', message }: Error): string {
  return redact(
    stack
      .replace(message, '')
      .match(/^\s+at .*$/gm)
      ?.join('\n') ?? '',
  )
}

/** How much of the log waits in memory for a reader that has stopped reading, in bytes. */
const BACKLOG_LIMIT = 1024 * 1024

/**
 * Makes the logger. Anything logged as `err` is cut down to type, code, message and stack frames.
 * Whoever reads standard output may stop: the service goes on, and lines beyond the limit are lost.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, base: null, serializers: { err: serializeError }, hooks: { streamWrite: visibleJson } }
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false, maxLength: BACKLOG_LIMIT }))
}
