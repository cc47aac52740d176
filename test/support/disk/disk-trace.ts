/** Reads what disk-shim.c has recorded. */
import { readFileSync } from 'node:fs'

/** The database or its write-ahead log. */
export type TracedFile = 'database' | 'log'

/** Times are those of `process.hrtime`, in nanoseconds. */
export type DiskEvent = Readonly<{ file: TracedFile; beganNs: number; endedNs: number }> &
  Readonly<
    | { kind: 'write'; offset: number; data: Buffer }
    | { kind: 'resize'; size: number }
    | { kind: 'sync' }
    | { kind: 'unlink' }
  >

/** The beginning of what was sent at once to a port of this machine. */
export type Sent = Readonly<{ port: number; head: string; sentNs: number }>

const HEADER_BYTES = 48
const FILES = [undefined, 'database', 'log'] as const

/** In the order in which they ended. */
export function readTrace(path: string): { events: DiskEvent[]; sent: Sent[] } {
  const trace = readFileSync(path)
  const events: DiskEvent[] = []
  const sent: Sent[] = []
  // The last record may still be written.
  for (let at = 0; at + HEADER_BYTES <= trace.length;) {
    const field = (index: number) => Number(trace.readBigInt64LE(at + index * 8))
    const [kind, offset, length] = [field(0), field(2), field(3)]
    const file = FILES[field(1)]
    if (kind === 4) {
      const begin = at + HEADER_BYTES
      sent.push({ port: offset, head: trace.toString('latin1', begin, begin + length), sentNs: field(4) })
      at = begin + length
      continue
    }
    if (file === undefined) throw new Error(`the trace is damaged at ${at}`)
    const event = { file, beganNs: field(4), endedNs: field(5) }
    at += HEADER_BYTES
    if (kind === 0) {
      events.push({ ...event, kind: 'write', offset, data: trace.subarray(at, at + length) })
      at += length
    } else if (kind === 1) events.push({ ...event, kind: 'resize', size: length })
    else events.push({ ...event, kind: kind === 2 ? 'sync' : 'unlink' })
  }
  events.sort((one, other) => one.endedNs - other.endedNs)
  return { events, sent }
}
