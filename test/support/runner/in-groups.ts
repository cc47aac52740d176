/**
 * Runs test files in groups, one process per group: `in-groups.ts [NODE OPTIONS] FILE|PATTERN…`. A process per file would
 * spend most of its time on loading and compiling the service again. Each file is a suite of its own, so its hooks stay
 * its own, and the files of a group run one after the other. They are loaded synchronously, because the test runner does
 * not follow promises: see `untracked-promises.ts`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRELOAD } from './test-process.ts'

/** Two per processor of a small machine: a group often waits. */
const AT_ONCE = 4
/** With more, the slowest group would run on alone for long. */
const FILES_PER_GROUP = 50

const root = join(import.meta.dirname, '../../..')
const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('--'))
const files = globSync(args.filter((arg) => !arg.startsWith('--'))).toSorted()
if (files.length === 0) throw new Error('usage: in-groups.ts [NODE OPTIONS] FILE|PATTERN…')

const count = Math.min(files.length, Math.ceil(files.length / FILES_PER_GROUP / AT_ONCE) * AT_ONCE)
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'test-groups-'))
const groups = Array.from({ length: count }, (_, number) => {
  // Every `count`-th file: neighbours are often equally slow.
  const suites = files
    .filter((_file, index) => index % count === number)
    .map((file) => `suite(${JSON.stringify(file)}, () => { require(${JSON.stringify(join(root, file))}) })\n`)
  const path = join(folder, `group-${String(number + 1)}.test.cjs`)
  writeFileSync(path, `const { suite } = require('node:test')\n${suites.join('')}`)
  return path
})

const command = [PRELOAD, '--test', `--test-concurrency=${AT_ONCE}`, ...options, ...groups]
const runner = spawn(process.execPath, command, { stdio: 'inherit' })
const [code, signal] = (await once(runner, 'close')) as [number | null, NodeJS.Signals | null]
rmSync(folder, { recursive: true })
process.exitCode = signal === null ? (code ?? 1) : 1
