/** The command line, run beside a service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLI } from './shipped-build.ts'
import { runCli } from './process.ts'

export type Ended = Readonly<{ code: number | null; output: string }>

/** Runs commands in a folder with settings. */
export type Operator = Readonly<{
  run(...args: string[]): Promise<Ended>
  /** The `--json` output of a command that must succeed. */
  json(...args: string[]): Promise<any>
  /** Runs a command on a terminal and types an answer. */
  answer(typed: string, ...args: string[]): Promise<Ended>
}>

export function operatorIn(cwd: string, env: Record<string, string>): Operator {
  const run = async (...args: string[]): Promise<Ended> => runCli(args, { cwd, env }).exited
  return {
    run,
    async json(...args) {
      const command = runCli([...args, '--json'], { cwd, env })
      const { code, output } = await command.exited
      if (code !== 0) throw new Error(`${args.join(' ')}: ${output}`)
      return JSON.parse(command.stdout())
    },
    async answer(typed, ...args) {
      const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
      const all = { PATH: process.env['PATH'] ?? '', EXCHANGE_RATES_URL: 'off', ...env }
      const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        cwd,
        env: all,
        stdio: 'pipe',
        timeout: 120_000,
      })
      let output = ''
      let isAnswered = false
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (!isAnswered && output.includes('to continue: ')) child.stdin.end(`${typed}\n`)
        isAnswered ||= child.stdin.writableEnded
      })
      const [code] = await once(child, 'close')
      return { code: code as number | null, output }
    },
  }
}
