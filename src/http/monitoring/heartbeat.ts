/**
 * Beats on the event loop. Detects stalls, and a process without free file descriptors, for which the kernel closes new
 * connections without a log line (docs/decisions/0046).
 */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { elapsedMs } from '../../lib/clock.ts'
import { failureCause } from '../../lib/failure-cause.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Repeated } from '../../lib/repeat.ts'
import type { App } from '../endpoint.ts'

const BEAT_MS = 100
/** A later beat counts as a stall. */
const STALL_MS = 100
/** A longer stall gets a log line. */
const LOGGED_FROM_MS = 1000
/** Covers several scrapes, of any number of scrapers: reading resets nothing. */
const REMEMBERED_MS = 5 * 60_000
/** Beats between two looks at the file descriptors. */
const BEATS_PER_LOOK = 10
const COMPLAIN_EVERY_MS = 60_000

export type Stalls = Readonly<{
  /** Sum since the start. */
  totalSeconds(): number
  /** The longest of the last five minutes. */
  longestSeconds(): number
}>

/** Monotonic time, and processor time of the event loop's thread. */
type Reading = Readonly<{ ms: number; processorMs: number }>

function now(): Reading {
  const { user, system } = process.threadCpuUsage()
  return { ms: elapsedMs(), processorMs: (user + system) / 1000 }
}

/** Beats while the server listens. */
export function startHeartbeat(app: App, log: Log): Stalls {
  const stalls = countStalls(elapsedMs)
  let beating: Repeated | undefined
  app.addHook('onListen', async () => {
    const beat = stallCheck(log, stalls)
    const lookAtDescriptors = descriptorCheck(log)
    let beats = 0
    beating = repeat(BEAT_MS, async () => {
      beat()
      beats += 1
      if (beats % BEATS_PER_LOOK === 0) lookAtDescriptors()
    })
  })
  app.addHook('onClose', async () => beating?.stop())
  return stalls
}

/** Returns what to call at every beat. @param read for tests */
export function stallCheck(log: Log, stalls: Pick<ReturnType<typeof countStalls>, 'note'>, read = now): () => void {
  let last = read()
  return () => {
    const { ms, processorMs } = read()
    const stalledMs = ms - last.ms - BEAT_MS
    if (stalledMs >= STALL_MS) stalls.note(stalledMs)
    if (stalledMs >= LOGGED_FROM_MS) {
      const stall = { stalledMs: Math.round(stalledMs), processorMs: Math.round(processorMs - last.processorMs) }
      log.warn(stall, 'the process stood still: no call was answered')
    }
    last = read()
  }
}

/** @param elapsed monotonic time, in milliseconds */
export function countStalls(elapsed: () => number): Stalls & { note(stalledMs: number): void } {
  let totalMs = 0
  /** Each longer than all after it. */
  const longest: { ms: number; atMs: number }[] = []
  return {
    note(ms) {
      totalMs += ms
      while ((longest.at(-1)?.ms ?? Infinity) <= ms) longest.pop()
      longest.push({ ms, atMs: elapsed() })
    },
    totalSeconds: () => totalMs / 1000,
    longestSeconds() {
      while ((longest[0]?.atMs ?? Infinity) < elapsed() - REMEMBERED_MS) longest.shift()
      return (longest[0]?.ms ?? 0) / 1000
    },
  }
}

// Never waits: the device has no disk.
const takeDescriptor = () => closeSync(openSync(devNull, 'r'))

/** Complains once a minute while no descriptor is left. @param elapsed for tests, as is `take` */
export function descriptorCheck(log: Log, elapsed = elapsedMs, take = takeDescriptor): () => void {
  let silentUntilMs = -Infinity
  return () => {
    try {
      take()
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException
      if ((code !== 'EMFILE' && code !== 'ENFILE') || elapsed() < silentUntilMs) return
      silentUntilMs = elapsed() + COMPLAIN_EVERY_MS
      log.error({ code, cause: failureCause(err) }, 'no file descriptor is left: new connections are closed unanswered')
    }
  }
}
