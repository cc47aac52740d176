import { createReadStream } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createKeyScanner } from '../../src/domain/keys/key-scan.ts'
import { repeat } from '../../src/lib/repeat.ts'
import { writeErrorLine, writeJson, writeLine } from '../../src/lib/text/terminal.ts'

const PROGRESS_EVERY_MS = 2000

const EXIT_FOUND = 2

export type ScanOptions = Readonly<{ json?: boolean }>

/**
 * Reports where secrets are, as lines or as one JSON document, and never the secrets.
 * @param paths files, pipes, links to either, folders (recursively, without following links), or `-` for standard input
 * @returns the exit code: 0 nothing found, 1 something could not be read, 2 found
 */
export async function scanKeys(paths: readonly string[], { json }: ScanOptions = {}): Promise<number> {
  const totals = { files: 0, bytes: 0, found: 0, unread: 0 }
  const places: { file: string; line: number; column: number }[] = []
  const say = () => `${totals.files} files, ${(totals.bytes / 1e6).toFixed(1)} MB scanned, ${totals.found} found`
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

  // Reported, and the search continues: one unreadable folder must not hide secrets in the others.
  async function continueOnError(path: string, work: () => Promise<void>): Promise<void> {
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
      await continueOnError(join(folder, name), () => visit(join(folder, name)))
    }
  }

  // A link could leave the folder or form a cycle, and a pipe without a writer never ends.
  async function visit(path: string): Promise<void> {
    const found = await lstat(path)
    if (found.isFile()) return read(path)
    if (found.isDirectory()) return search(path)
  }

  // A link or pipe named explicitly, like the shell's `<(…)`, means its content.
  async function visitNamed(path: string): Promise<void> {
    return (await stat(path)).isDirectory() ? search(path) : read(path)
  }

  for (const path of paths) {
    await continueOnError(path, () => (path === '-' ? scan('stdin', process.stdin) : visitNamed(path)))
  }
  await progress.stop()
  if (json) writeJson({ found: places, files: totals.files, bytes: totals.bytes, unread: totals.unread })
  writeErrorLine(`${say()}.`)
  if (totals.found > 0)
    writeErrorLine('Report secrets found in public places: POST /auth/api-keys/leaked revokes them.')
  if (totals.found > 0) return EXIT_FOUND
  return totals.unread > 0 ? 1 : 0
}
