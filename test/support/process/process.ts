/** The service as a user starts it: a process of its own, with nothing shared with the test. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The command line's file. */
export const CLI = fileURLToPath(new URL('../../../cli/paylink-auth.ts', import.meta.url))

/** A process of the command line. */
export type CliProcess = Readonly<{
  child: ChildProcess
  /** Everything written so far, standard output and standard error together. */
  output(): string
  /** Resolves with the exit code (null after a signal nobody handled) and all output. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>
  /** Resolves when the output holds the text; rejects when the process ends before, or after 30 seconds. */
  waitFor(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}>

/** Runs `paylink-auth ARGS…` in `cwd` with this environment and no other variable of the test's but PATH; without exchange rates. */
export function runCli(
  args: readonly string[],
  options: Readonly<{
    cwd: string
    env?: Record<string, string>
    uid?: number
    /** What is run in place of the sources: the shipped package. */
    command?: readonly string[]
    /** A descriptor of the test's that is its standard output, which then is not in `output`. */
    stdout?: number
  }>,
): CliProcess {
  const [program = '', ...words] = options.command ?? [process.execPath, CLI]
  const child = spawn(program, [...words, ...args], {
    cwd: options.cwd,
    // The bank is not asked on behalf of tests.
    env: { PATH: process.env['PATH'] ?? '', EXCHANGE_RATES_URL: 'off', ...options.env },
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
  }))

  return {
    child,
    output: () => output,
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
