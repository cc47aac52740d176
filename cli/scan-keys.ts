/** `paylink-auth keys scan`: looks for API key secrets in files, folders and what is piped in; needs no service. */
import { createReadStream } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createKeyScanner } from '../src/domain/keys/key-scan.ts'
import { repeat } from '../src/lib/repeat.ts'
import { writeErrorLine, writeJson, writeLine } from '../src/lib/terminal.ts'

/** How often progress is told, in milliseconds; shorter work tells none. */
const PROGRESS_EVERY_MS = 2000

/** The exit code when a secret was found. */
export const EXIT_FOUND = 2

/** What it can be told. */
export type ScanOptions = Readonly<{ json?: boolean }>

/**
 * Says where secrets are, a line each or as one JSON document, and never what they are.
 * @param paths files, pipes, links to such, folders (with all they hold, but for links), or `-` for what is piped in
 * @returns the exit code: 0 nothing found, 1 something could not be read, 2 found
 */
export async function scanKeys(paths: readonly string[], { json }: ScanOptions = {}): Promise<number> {
  const totals = { files: 0, bytes: 0, found: 0, unread: 0 }
  const places: { file: string; line: number; column: number }[] = []
  const say = () => `${totals.files} files, ${(totals.bytes / 1e6).toFixed(1)} MB looked through, ${totals.found} found`
  const progress = repeat(PROGRESS_EVERY_MS, async () => writeErrorLine({ style: 'dim', text: `… ${say()}` }))

  async function scan(name: string, stream: Readable): Promise<void> {
    const scanner = createKeyScanner()
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      totals.bytes += chunk.length
      for (const { line, column } of scanner.scan(chunk.toString('latin1'))) {
        totals.found += 1
        if (json) places.push({ file: name, line, column })
        else writeLine(`${name}:${line}:${column}: API key secret`)
      }
    }
    totals.files += 1
  }

  // Named and searched on: one folder that may not be read must not hide what is in the others.
  async function orTell(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      totals.unread += 1
      writeErrorLine(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }

  const read = (path: string) => scan(path, createReadStream(path, { highWaterMark: 1 << 20 }))

  async function search(folder: string): Promise<void> {
    for (const name of (await readdir(folder)).toSorted()) {
      await orTell(join(folder, name), () => visit(join(folder, name)))
    }
  }

  // A link could lead out of the folder or around in it, and a pipe nobody writes to never ends.
  async function visit(path: string): Promise<void> {
    const found = await lstat(path)
    if (found.isFile()) return read(path)
    if (found.isDirectory()) return search(path)
  }

  // Whoever names a link or a pipe, as the shell's `<(…)` does, means what is behind it.
  async function visitNamed(path: string): Promise<void> {
    return (await stat(path)).isDirectory() ? search(path) : read(path)
  }

  for (const path of paths) {
    await orTell(path, () => (path === '-' ? scan('stdin', process.stdin) : visitNamed(path)))
  }
  await progress.stop()
  if (json) writeJson({ found: places, files: totals.files, bytes: totals.bytes, unread: totals.unread })
  writeErrorLine(`${say()}.`)
  if (totals.found > 0) writeErrorLine('Report what was found in the open: POST /auth/api-keys/leaked revokes it.')
  if (totals.found > 0) return EXIT_FOUND
  return totals.unread > 0 ? 1 : 0
}
