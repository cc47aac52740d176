/**
 * Runs test files in groups, one process per group:
 * `in-groups.ts [--test-concurrency=GROUPS] [--files-per-group=FILES] [NODE OPTIONS] FILE|PATTERN…`. A process per file would
 * spend most of its time on loading and compiling the service again. Each file is a suite of its own, so its hooks stay
 * its own, and the files of a group run one after the other. They are loaded synchronously, because the test runner does
 * not follow promises: see `untracked-promises.ts`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRELOAD } from './test-process.ts'

/** Three per processor of a small machine: a group often waits. */
const GROUPS_AT_ONCE = 6
/** With more, the slowest group would run on alone for long. */
const FILES_PER_GROUP = 50
const CONCURRENCY = '--test-concurrency='
const PER_GROUP = '--files-per-group='

/** Without it a test that ends the process with 0 would pass, and those after it would be left out. */
const PRELUDE = `const { after, suite } = require('node:test')
let hasEnded = false
after(() => { hasEnded = true })
process.on('exit', () => {
  if (hasEnded) return
  console.error('A test has ended the process of its group.')
  process.exitCode = 1
})
`

const root = join(import.meta.dirname, '../../..')
const args = process.argv.slice(2)
const numberAfter = (name: string, otherwise: number) =>
  Number(args.find((arg) => arg.startsWith(name))?.slice(name.length) ?? otherwise)
const atOnce = numberAfter(CONCURRENCY, GROUPS_AT_ONCE)
const perGroup = numberAfter(PER_GROUP, FILES_PER_GROUP)
const options = args.filter((arg) => arg.startsWith('--') && !arg.startsWith(CONCURRENCY) && !arg.startsWith(PER_GROUP))
const files = globSync(args.filter((arg) => !arg.startsWith('--'))).toSorted()
if (files.length === 0) throw new Error('usage: in-groups.ts [NODE OPTIONS] FILE|PATTERN…')

const count = Math.min(files.length, Math.ceil(files.length / perGroup / atOnce) * atOnce)
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'test-groups-'))
const groups = Array.from({ length: count }, (_, number) => {
  // Every `count`-th file: neighbours are often equally slow.
  const suites = files
    .filter((_file, index) => index % count === number)
    .map((file) => `suite(${JSON.stringify(file)}, () => { require(${JSON.stringify(join(root, file))}) })\n`)
  const path = join(folder, `group-${String(number + 1)}.test.cjs`)
  writeFileSync(path, PRELUDE + suites.join(''))
  return path
})

const command = [PRELOAD, '--test', `${CONCURRENCY}${atOnce}`, ...options, ...groups]
const runner = spawn(process.execPath, command, { stdio: 'inherit' })
const [code, signal] = (await once(runner, 'close')) as [number | null, NodeJS.Signals | null]
rmSync(folder, { recursive: true })
process.exitCode = signal === null ? (code ?? 1) : 1
