/** JSON lines on standard output, without secrets, links or query strings. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { systemClock } from './clock.ts'
import { failureCause } from './failure-cause.ts'
import { createLineWriter } from './line-writer.ts'
import type { LineWriter } from './line-writer.ts'
import { visibleJson } from './text/terminal.ts'

export type Log = Logger

/** In order of verbosity. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

export type LogLevel = (typeof logLevels)[number]

/** Adds fields to every line that is logged below `run`, until it is closed. */
export type LogScope = Readonly<{
  fields: Readonly<Record<string, string>>
  run(work: () => void): void
  /** After this, timers and connections that the request started no longer log its fields. */
  close(): void
}>

const scope = new AsyncLocalStorage<{ fields: LogScope['fields'] }>()

export function openLogScope(fields: LogScope['fields']): LogScope {
  const held = { fields }
  return { fields, run: (work) => scope.run(held, work), close: () => void (held.fields = {}) }
}

// Key secrets, JWTs, link tokens (43 base64url characters) and values of `token=`.
const secretShaped = /pls_\w*|eyJ[\w.-]+|(?<=token=)[^&\s]+|(?<![\w-])[\w-]{43}(?![\w-])/g

/** Replaces everything that looks like one of our secrets. */
export function redact(text: string): string {
  return text.replace(secretShaped, '[redacted]')
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html). */
const DAMAGED = new Set([11, 26])
/** SQLITE_BUSY. */
const BUSY = 5
const LOCKED =
  'another process has kept the write lock of the database. Look for a command, a backup or a database tool that runs on the file.'
/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no space for the index of the log. */
const FULL = new Set([13, 4874])
/** Of the platform, and of PostgreSQL (disk_full). */
const FULL_CODES = new Set<unknown>(['ENOSPC', '53100'])
const RESTORE = 'Stop the service, keep the damaged files, and restore the last backup.'

/**
 * The loggable part of an error, with the cause of a failed connection, or of a lock, in words. Own properties are dropped: an SMTP
 * error carries the recipient and the server's reply, a database error the values of a row. A SyntaxError's message
 * quotes its input, so it is dropped too.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // Where it was noticed says nothing: the cause is the file.
  if (code === 'ERR_SQLITE_ERROR' && DAMAGED.has(Number(errcode) & 0xff))
    return { type: error.name, code, message: `The database is damaged: ${error.message}. ${RESTORE}` }
  // Every refused write logs one.
  const isFull = code === 'ERR_SQLITE_ERROR' ? FULL.has(Number(errcode)) : FULL_CODES.has(code)
  const isBusy = code === 'ERR_SQLITE_ERROR' && (Number(errcode) & 0xff) === BUSY
  const cause = isBusy ? LOCKED : failureCause(error)
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof SyntaxError ? {} : { message: redact(error.message) }),
    ...(cause !== undefined && { cause }),
    ...(!isFull && { frames: framesOf(error) }),
  }
}

// The message is removed first: its lines may look like frames, and quote parsed input or a secret.
function framesOf({ stack = '', message }: Error): string {
  return redact(
    stack
      .replace(message, '')
      .match(/^\s+at .*$/gm)
      ?.join('\n') ?? '',
  )
}

/** Bytes kept in memory while the reader of standard output stalls, or its disk is full. */
const BACKLOG_LIMIT = 1024 * 1024

/**
 * `err` is reduced to type, code, message, cause and stack frames. When the reader of standard output stalls or its disk
 * is full, the service continues and lines beyond the backlog are lost.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    serializers: { err: serializeError },
    hooks: { streamWrite: visibleJson },
    // A copy: pino adds the line's own fields to it.
    mixin: () => ({ ...scope.getStore()?.fields }),
  }
  return pino(options, destination ?? (standardOutput ??= openStandardOutput()))
}

let standardOutput: LineWriter | undefined

function openStandardOutput(): LineWriter {
  const lines = createLineWriter(1, { maxBytes: BACKLOG_LIMIT, lostLine })
  process.on('exit', () => lines.writeRest())
  return lines
}

function lostLine(lines: number): string {
  const msg = 'lines of the log were lost here: its reader was too slow, or its disk was full'
  return `${JSON.stringify({ level: pino.levels.values['warn'], time: systemClock.now(), lines, msg })}\n`
}
