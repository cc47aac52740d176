/** Runs the command line in a process of its own. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { COMPILE_CACHE } from '../runner/test-process.ts'
import { CLI } from './shipped-build.ts'

export type CliProcess = Readonly<{
  child: ChildProcess
  /** Standard output and standard error so far, in the order of their arrival, which may be another than of writing. */
  output(): string
  /** Standard output alone. */
  stdout(): string
  /** Standard error alone. */
  stderr(): string
  /** Resolves with the exit code (null after an unhandled signal) and all output. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>
  /** Resolves when the output contains the text; rejects when the process exits first, or after 30 seconds. */
  waitFor(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}>

/** Runs `paylink-auth ARGS…` with this environment and the test's PATH only; exchange rates are off. */
export function runCli(
  args: readonly string[],
  options: Readonly<{
    cwd: string
    env?: Record<string, string>
    uid?: number
    /** Runs in place of the build, for example the sources. */
    command?: readonly string[]
    /** A file descriptor for its standard output, which is then missing in `output`. */
    stdout?: number
  }>,
): CliProcess {
  const [program = '', ...words] = options.command ?? [process.execPath, CLI]
  const child = spawn(program, [...words, ...args], {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      EXCHANGE_RATES_URL: 'off',
      ...options.env,
    },
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  let output = ''
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    stderr += chunk.toString()
  })
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
  }))

  return {
    child,
    output: () => output,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    async waitFor(text) {
      let hasExited = false
      void exited.then(() => (hasExited = true))
      for (const deadline = performance.now() + 60_000; !output.includes(text);) {
        if (performance.now() > deadline) throw new Error(`does not say ${JSON.stringify(text)}:\n${output}`)
        if (hasExited) throw new Error(`ended before it said ${JSON.stringify(text)}:\n${output}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    kill: (signal) => void child.kill(signal),
  }
}
