/**
 * A beat on the event loop, which shows what no call can report: stalls, in which nothing is answered, and a process
 * without file descriptors, of which the kernel closes new connections unseen (docs/decisions/0046).
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

const now = () => ({ ms: elapsedMs(), cpu: process.threadCpuUsage() })

/** Beats while the server listens. */
export function startHeartbeat(app: App, log: Log): Stalls {
  const stalls = countStalls(elapsedMs)
  let beating: Repeated | undefined
  app.addHook('onListen', async () => {
    const lookAtDescriptors = descriptorCheck(log)
    let last = now()
    let beats = 0
    beating = repeat(BEAT_MS, async () => {
      const { ms, cpu } = now()
      const stalledMs = ms - last.ms - BEAT_MS
      if (stalledMs >= STALL_MS) stalls.note(stalledMs)
      if (stalledMs >= LOGGED_FROM_MS) {
        const processorMs = Math.round((cpu.user - last.cpu.user + cpu.system - last.cpu.system) / 1000)
        log.warn({ stalledMs: Math.round(stalledMs), processorMs }, 'the process stood still: no call was answered')
      }
      beats += 1
      if (beats % BEATS_PER_LOOK === 0) lookAtDescriptors()
      last = now()
    })
  })
  app.addHook('onClose', async () => beating?.stop())
  return stalls
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

function descriptorCheck(log: Log): () => void {
  let silentUntilMs = 0
  return () => {
    try {
      // Never waits: the device has no disk.
      closeSync(openSync(devNull, 'r'))
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException
      if ((code !== 'EMFILE' && code !== 'ENFILE') || elapsedMs() < silentUntilMs) return
      silentUntilMs = elapsedMs() + COMPLAIN_EVERY_MS
      log.error({ code, cause: failureCause(err) }, 'no file descriptor is left: new connections are closed unanswered')
    }
  }
}
