/**
 * Writes lines to a descriptor beside the event loop, which waits neither for a stalled reader nor for a full disk. Not
 * pino's own destination: its error on a full disk ends the process, and its last flush tries again for ever.
 */
import { write, writeSync } from 'node:fs'
import { elapsedMs, sleep } from './clock.ts'

/** Time until what could not be written is tried again. */
const RETRY_MS = 100
/** How long the end of the process waits for a reader. */
const LAST_WAIT_MS = 1000
const LAST_RETRY_MS = 10

const never = new AbortController().signal

export type LineWriter = Readonly<{
  write(line: string): void
  /** For the end of the process only: writes what waits, unless the disk is full or the reader stalls for a second. */
  writeRest(): void
}>

/**
 * What cannot be written is kept and tried again; lines beyond the limit are lost. Without a reader (`EPIPE`) all are.
 * @param maxBytes kept in memory
 */
export function createLineWriter(descriptor: number, maxBytes: number): LineWriter {
  let waiting: string[] = []
  /** Left of what was taken from `waiting`. */
  let begun: Buffer = Buffer.alloc(0)
  let keptBytes = 0
  let state: 'idle' | 'writing' | 'waiting' = 'idle'
  let hasReader = true

  function noteWritten(bytes: number): void {
    begun = begun.subarray(bytes)
    keptBytes -= bytes
  }

  function begin(): boolean {
    if (begun.length === 0) {
      begun = Buffer.from(waiting.join(''))
      waiting = []
    }
    return begun.length > 0
  }

  function writeNext(): void {
    state = hasReader && begin() ? 'writing' : 'idle'
    if (state === 'idle') return
    write(descriptor, begun, (error, bytes) => {
      if (error === null) {
        noteWritten(bytes)
        writeNext()
        return
      }
      hasReader = error.code !== 'EPIPE'
      state = 'waiting'
      tryAgainLater()
    })
  }

  // A process that has nothing else to do ends meanwhile.
  const tryAgainLater = () => void sleep(RETRY_MS, never).then(writeNext)

  return {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (!hasReader || keptBytes + bytes > maxBytes) return
      keptBytes += bytes
      waiting.push(line)
      if (state === 'idle') writeNext()
    },
    writeRest() {
      // Of what is being written nobody knows how far it is.
      if (state === 'writing') begun = Buffer.alloc(0)
      if (!hasReader) return
      for (const deadlineMs = elapsedMs() + LAST_WAIT_MS; begin();) {
        try {
          noteWritten(writeSync(descriptor, begun))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || elapsedMs() > deadlineMs) return
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_RETRY_MS)
        }
      }
    },
  }
}
