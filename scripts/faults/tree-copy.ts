/** A copy of a tree that faults are planted in: its suites as its package.json names them, and what runs in it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The kinds of tests, in the order in which a fault meets them. */
export const SUITES = ['unit', 'endpoints', 'attacks', 'model', 'journeys'] as const
/** A kind of tests. */
export type Suite = (typeof SUITES)[number]

const NOT_COPIED = new Set(['.git', 'node_modules', 'data'])

/** How a command in the copy ended. */
export type Run = Readonly<{ passed: boolean; isTooSlow: boolean; seconds: number; output: string }>

/** The copy, and what runs in it. */
export type TreeCopy = Readonly<{
  path: string
  /** For what tests leave, until the next sweep. */
  temporary: string
  /** The test files of a suite, by path from the root. */
  filesOf(suite: Suite): string[]
  /** @param maxSeconds after which it counts as failed: it hangs */
  runTest(file: string, maxSeconds: number, signal?: AbortSignal, coverageFolder?: string): Promise<Run>
  checkTypes(): Promise<Run>
  sweep(): void
}>

// The generator's own packages: no suite needs them, and copying them again onto themselves fails.
const isNoPackage = (source: string) => basename(source) !== 'node_modules'

/**
 * Copies a tree below a folder, or takes the copy that is there, with the tree's own sources.
 * Dependencies are hard links, so the folder must be on the tree's file system.
 */
export function copyTree(tree: string, folder: string): TreeCopy {
  const path = join(folder, 'tree')
  const temporary = join(folder, 'tmp')
  mkdirSync(path, { recursive: true })
  for (const name of readdirSync(tree)) {
    if (NOT_COPIED.has(name)) continue
    if (name === 'src') rmSync(join(path, name), { recursive: true, force: true })
    cpSync(join(tree, name), join(path, name), { recursive: true, verbatimSymlinks: true, filter: isNoPackage })
  }
  if (!existsSync(join(path, 'node_modules'))) {
    // It has its name when it is whole: the run may be stopped before that.
    rmSync(join(folder, 'packages'), { recursive: true, force: true })
    execFileSync('cp', ['-al', join(tree, 'node_modules'), join(folder, 'packages')])
    renameSync(join(folder, 'packages'), join(path, 'node_modules'))
  }

  const { scripts } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const { flags, settings } = commandOf(scripts['test:files'] ?? '')
  const bin = join(path, 'node_modules/.bin')

  async function run(command: string, args: readonly string[], options: RunOptions): Promise<Run> {
    const { PATH = '' } = process.env
    const env = { ...process.env, PATH: `${bin}:${PATH}`, TMPDIR: temporary, ...options.env }
    return await runCommand(command, args, path, { ...options, env })
  }

  function sweep(): void {
    // A process that was killed may still be writing.
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
    mkdirSync(temporary)
  }
  sweep()

  return {
    path,
    temporary,
    filesOf: (suite) => globSync(globsOf(scripts[`test:${suite}`] ?? ''), { cwd: path }).toSorted(),
    runTest(file, maxSeconds, signal, coverageFolder) {
      // A function from the compile cache has no coverage.
      const env = coverageFolder === undefined ? settings : { NODE_V8_COVERAGE: coverageFolder }
      return run(join(bin, 'node'), [...flags, file], { env, maxSeconds, signal })
    },
    // With what it knows from the last time, it checks only what the fault can break.
    checkTypes: () =>
      run(join(bin, 'tsc'), ['--incremental', '--tsBuildInfoFile', join(folder, 'types.json')], {
        env: {},
        maxSeconds: 600,
      }),
    sweep,
  }
}

const globsOf = (script: string) => [...script.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob)

/** `NAME=value node --flag --test`: the settings and the flags. The files run one by one, without the runner. */
function commandOf(script: string): { settings: Record<string, string>; flags: string[] } {
  const words = script.split(/\s+/)
  return {
    settings: Object.fromEntries(words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=', 2))),
    flags: words.filter((word) => word.startsWith('-') && word !== '--test'),
  }
}

type RunOptions = Readonly<{ env: NodeJS.ProcessEnv; maxSeconds: number; signal?: AbortSignal | undefined }>

const OUTPUT_CHARACTERS = 20_000
const groups = new Set<number>()

/** Ends whatever still runs in a copy. */
export function endAll(): void {
  groups.forEach(endGroup)
}

async function runCommand(command: string, args: readonly string[], cwd: string, options: RunOptions): Promise<Run> {
  const startedAtMs = performance.now()
  // In a group of its own: what a test starts ends with it.
  const child = spawn(command, args, { cwd, env: options.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let isTooSlow = false
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const group = child.pid
  if (group === undefined) throw new Error(`${command} does not start`)
  groups.add(group)
  const end = () => endGroup(group)
  const timer = setTimeout(() => {
    isTooSlow = true
    end()
  }, options.maxSeconds * 1000)
  options.signal?.addEventListener('abort', end)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  options.signal?.removeEventListener('abort', end)
  end()
  groups.delete(group)
  return { passed: code === 0, isTooSlow, seconds: (performance.now() - startedAtMs) / 1000, output }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
