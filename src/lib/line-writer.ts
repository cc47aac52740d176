/**
 * Writes lines to a descriptor beside the event loop, which waits neither for a stalled reader nor for a full disk. Not
 * pino's own destination: its error on a full disk ends the process, and its last flush tries again for ever.
 */
import { constants, fstatSync, openSync, readFileSync, write, writeSync } from 'node:fs'
import { elapsedMs, immediately, sleep } from './clock.ts'

/** Bytes per write. One to a file that is in progress when the process ends may be lost. */
const WRITE_BYTES = 16 * 1024
/** Time until a reader that is behind is tried again, and anything else that could not be written. */
const BEHIND_RETRY_MS = 10
const RETRY_MS = 100
/** How long the end of the process waits for a reader. */
const LAST_WAIT_MS = 1000

const never = new AbortController().signal

export type LineWriter = Readonly<{
  write(line: string): void
  /** For the end of the process only: writes what waits, unless the disk is full or the reader stalls for a second. */
  writeRest(): void
}>

type LineWriterOptions = Readonly<{
  /** Kept in memory. */
  maxBytes: number
  /** A line to write in place of `count` lines that were lost. */
  lostLine(count: number): string
}>

/** What cannot be written is kept and tried again; lines beyond the limit are lost, and counted. */
export function createLineWriter(descriptor: number, { maxBytes, lostLine }: LineWriterOptions): LineWriter {
  const own = nonBlocking(descriptor)
  const waiting: Chunk[] = []
  let begun: Buffer = Buffer.alloc(0)
  let keptBytes = 0
  let lost = 0
  let state: 'idle' | 'writing' | 'waiting' = 'idle'

  function keep(text: string): boolean {
    const bytes = Buffer.byteLength(text)
    if (keptBytes + bytes > maxBytes) return false
    keptBytes += bytes
    const last = waiting.at(-1)
    if (last !== undefined && last.bytes + bytes <= WRITE_BYTES) {
      last.text += text
      last.bytes += bytes
    } else waiting.push({ text, bytes })
    return true
  }

  function noteWritten(bytes: number): void {
    begun = begun.subarray(bytes)
    keptBytes -= bytes
  }

  function begin(): boolean {
    if (begun.length === 0) begun = Buffer.from(waiting.shift()?.text ?? '')
    return begun.length > 0
  }

  function writeNext(): void {
    state = begin() ? 'writing' : 'idle'
    if (state === 'idle') return
    if (own === undefined) {
      write(descriptor, begun, (error, bytes) => {
        if (error !== null) return tryAgainAfter(error)
        noteWritten(bytes)
        writeNext()
      })
      return
    }
    try {
      while (begin()) noteWritten(writeSync(own, begun))
      state = 'idle'
    } catch (error) {
      tryAgainAfter(error as NodeJS.ErrnoException)
    }
  }

  function tryAgainAfter({ code }: NodeJS.ErrnoException): void {
    state = 'waiting'
    // A process that has nothing else to do ends meanwhile.
    void sleep(code === 'EAGAIN' ? BEHIND_RETRY_MS : RETRY_MS, never).then(writeNext)
  }

  return {
    write(line) {
      if (!keep(lost > 0 ? lostLine(lost) + line : line)) {
        lost += 1
        return
      }
      lost = 0
      if (state !== 'idle') return
      state = 'waiting'
      immediately(writeNext)
    },
    writeRest() {
      // Of what is being written nobody knows how far it is.
      if (state === 'writing') begun = Buffer.alloc(0)
      if (lost > 0) waiting.push({ text: lostLine(lost), bytes: 0 })
      for (const deadlineMs = elapsedMs() + LAST_WAIT_MS; begin();) {
        try {
          noteWritten(writeSync(own ?? descriptor, begun))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || elapsedMs() > deadlineMs) return
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BEHIND_RETRY_MS)
        }
      }
    },
  }
}

type Chunk = { text: string; bytes: number }

/**
 * A descriptor to which writing never blocks; `undefined` if there is none. A pipe or terminal is opened once more,
 * because any process that shares it decides whether it blocks. A file would block while its disk is slow.
 */
function nonBlocking(descriptor: number): number | undefined {
  const kind = fstatSync(descriptor)
  try {
    if (kind.isSocket()) return isNonBlocking(descriptor) ? descriptor : undefined
    if (!kind.isFIFO() && !kind.isCharacterDevice()) return undefined
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // Of another user, without a reader, or not on Linux.
    return undefined
  }
}

// Node makes the sockets of standard output so when they are first used.
function isNonBlocking(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) !== 0
}
