/**
 * Plants faults in a copy of a tree, one at a time, and reports which of its suites catches each:
 * `npm run faults -- --tree . --out /var/tmp/faults --seed 1 --count 100`. Takes hours, and goes on where it
 * was stopped. Each fault meets the types, then the suites, until one catches it; with `--suite NAME` that one alone.
 * What a test file executes is measured once, so a fault meets only the test files that execute it: code that only a
 * killed process or the shipped bundle runs counts as not executed. One run at a time may use an `--out`.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseFaults, plant } from './faults/choose-faults.ts'
import type { Fault } from './faults/choose-faults.ts'
import { isExecuted, readExecutedCode } from './faults/executed-code.ts'
import type { ExecutedCode } from './faults/executed-code.ts'
import { CHECKS, survivorsOf, tableOf } from './faults/report.ts'
import type { Check, Outcomes, TriedFault } from './faults/report.ts'
import { copyTree, endAll, SUITES } from './faults/tree-copy.ts'
import type { Suite, TreeCopy } from './faults/tree-copy.ts'
import { seededRandom } from './seed-random.ts'

/** A test file without a fault: how long it took, and what it executed. */
type Measured = Readonly<{ file: string; passed: boolean; seconds: number; executed: ExecutedCode }>

const MEASURING_SECONDS = 1800
/** A test file hangs when it takes so much longer than it took to measure it, however busy the machine is. */
const hangsAfterSeconds = ({ seconds }: Measured) => 60 + 5 * seconds
const AT_ONCE = Math.max(2, availableParallelism())

const read = <T>(path: string, otherwise: T) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise

function write(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(value))
  renameSync(`${path}.new`, path)
}

/** Runs jobs a few at a time, until one returns a value. */
async function firstResult<T, R>(
  jobs: readonly T[],
  job: (one: T, signal: AbortSignal) => Promise<R | undefined>,
): Promise<R | undefined> {
  const waiting = jobs.values()
  const stop = new AbortController()
  let found: R | undefined
  const work = async () => {
    for (const one of waiting) {
      const result = await job(one, stop.signal)
      if (stop.signal.aborted) return
      if (result === undefined) continue
      found = result
      stop.abort()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return found
}

/** The test files of a suite that have been measured, quickest first; of a suite that is asked, all. */
async function measuredOf(copy: TreeCopy, suite: Suite, isAsked: boolean, out: string): Promise<Measured[]> {
  const folder = join(out, 'executed')
  mkdirSync(folder, { recursive: true })
  const measured: Measured[] = []
  await firstResult(copy.filesOf(suite), async (file) => {
    const path = join(folder, `${file.replaceAll('/', '__')}.json`)
    const known = read<Measured | undefined>(path, undefined)
    if (known === undefined && !isAsked) return undefined
    const all = known ?? (await measure(copy, file, out))
    if (known === undefined) write(path, all)
    measured.push(all)
    return undefined
  })
  return measured.toSorted((a, b) => a.seconds - b.seconds)
}

async function measure(copy: TreeCopy, file: string, out: string): Promise<Measured> {
  const coverage = mkdtempSync(join(copy.temporary, 'coverage-'))
  const run = () => copy.runTest(file, MEASURING_SECONDS, undefined, coverage)
  let { passed, seconds, output } = await run()
  if (!passed) ({ passed, seconds, output } = await run())
  const executed = readExecutedCode(coverage, copy.path)
  rmSync(coverage, { recursive: true })
  console.error(`${passed ? 'measured' : 'FAILS WITHOUT A FAULT'} ${file} ${seconds.toFixed(1)} s`)
  if (!passed) writeFileSync(join(out, `${basename(file)}.output`), output)
  return { file, passed, seconds, executed }
}

const executing = (tests: readonly Measured[], { file, start }: Fault) =>
  tests.filter((test) => test.passed && isExecuted(test.executed, file, start))

/** Which test file catches the planted fault: the one named after the faulty file first, then the quickest. */
async function tryTests(copy: TreeCopy, fault: Fault, tests: readonly Measured[]): Promise<string | null> {
  const subject = basename(fault.file, '.ts')
  const isNamesake = ({ file }: Measured) => basename(file).startsWith(`${subject}.`)
  const inOrder = tests.toSorted((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)))
  const found = await firstResult(inOrder, async (test, signal) => {
    const run = () => copy.runTest(test.file, hangsAfterSeconds(test), signal)
    const { passed, isTooSlow } = await run()
    if (passed) return undefined
    if (isTooSlow) return `${test.file} (hangs)`
    // Only what fails twice has caught something: the machine may be busy.
    return signal.aborted || (await run()).passed ? undefined : test.file
  })
  return found ?? null
}

async function tryTypes(copy: TreeCopy): Promise<string | null> {
  const { passed, output } = await copy.checkTypes()
  return passed ? null : (output.split('\n').find((line) => line !== '') ?? 'tsc failed')
}

function hashOf(tree: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(['package.json', '{src,test}/**/*.ts'], { cwd: tree }).toSorted()) {
    hash.update(file).update(readFileSync(join(tree, file)))
  }
  return hash.digest('hex')
}

type Options = Readonly<{ tree: string; out: string; seed: number; count: number; asked: readonly Check[] }>

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      tree: { type: 'string' },
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '100' },
      suite: { type: 'string' },
    },
  })
  const { tree, out, suite } = values
  if (tree === undefined || out === undefined) throw new Error('Missing option: --tree DIR and --out DIR are required.')
  const [seed, count] = [Number(values.seed), Number(values.count)]
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed))
    throw new Error('--seed and --count must be whole numbers.')
  const asked = CHECKS.filter((check) => check === (suite ?? check))
  if (asked.length === 0) throw new Error(`--suite must be one of ${CHECKS.join(', ')}.`)
  return { tree: resolve(tree), out: resolve(out), seed, count, asked }
}

async function main(): Promise<void> {
  const { tree, out, seed, count, asked } = readOptions()
  mkdirSync(out, { recursive: true })
  const hash = hashOf(tree)
  if (read(join(out, 'of.json'), hash) !== hash)
    throw new Error(`${out} is of another tree, or of another state of it.`)
  write(join(out, 'of.json'), hash)

  const texts = new Map(
    globSync('src/**/*.ts', { cwd: tree }).map((file) => [file, readFileSync(join(tree, file), 'utf8')]),
  )
  const faults = chooseFaults(texts, count, seededRandom(seed))
  const copy = copyTree(tree, out)
  const results = new Map(read<[string, Outcomes][]>(join(out, 'results.json'), []))

  for (const check of asked) {
    const tryOne = await checkOf(copy, check, out)
    copy.sweep()
    for (const [n, fault] of faults.entries()) {
      const outcomes = results.get(idOf(fault)) ?? {}
      const isCaught = Object.values(outcomes).some((outcome) => outcome !== null)
      // One suite that is asked for meets what another has caught before it, too.
      if (outcomes[check] !== undefined || (isCaught && asked.length > 1)) continue
      const text = texts.get(fault.file) ?? ''
      const path = join(copy.path, fault.file)
      writeFileSync(path, plant(text, fault))
      const outcome = await tryOne(fault)
      writeFileSync(path, text)
      copy.sweep()
      results.set(idOf(fault), { ...outcomes, [check]: outcome })
      write(join(out, 'results.json'), [...results])
      console.error(`${check} ${n + 1}/${faults.length} ${fault.file} ${fault.kind}: ${outcome ?? 'survived'}`)
    }
  }

  const measured = (await Promise.all(SUITES.map((suite) => measuredOf(copy, suite, false, out)))).flat()
  const tried = faults.map((fault) => {
    const outcomes = results.get(idOf(fault)) ?? {}
    return asTried(fault, texts.get(fault.file) ?? '', executing(measured, fault).length, outcomes)
  })
  const broken = measured.filter(({ passed }) => !passed).map(({ file }) => file)
  write(join(out, `report-${seed}-${count}.json`), { tree, seed, count, broken, faults: tried })
  console.log(
    [tableOf(tried), survivorsOf(tried), ...broken.map((file) => `Left out, it fails without a fault: ${file}`)].join(
      '\n\n',
    ),
  )
}

/** What tries a planted fault. Whatever fails without a fault is found first. */
async function checkOf(copy: TreeCopy, check: Check, out: string): Promise<(fault: Fault) => Promise<string | null>> {
  if (check === 'types') {
    const error = await tryTypes(copy)
    if (error !== null) throw new Error(`tsc fails without a fault: ${error}`)
    return () => tryTypes(copy)
  }
  const tests = await measuredOf(copy, check, true, out)
  return (fault) => tryTests(copy, fault, executing(tests, fault))
}

const idOf = (fault: Fault) => JSON.stringify(fault)

function asTried(
  { file, kind, start, end, replacement }: Fault,
  text: string,
  executedBy: number,
  outcomes: Outcomes,
): TriedFault {
  const line = text.slice(0, start).split('\n').length
  return { file, line, kind, from: text.slice(start, end), to: replacement, executedBy, outcomes }
}

if (import.meta.main) {
  process.once('exit', endAll)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
