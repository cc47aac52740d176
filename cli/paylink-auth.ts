#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { onOutputError, writeErrorLine, writeLine } from '../src/lib/text/terminal.ts'
import { engines, version } from '../src/lib/process/version.ts'
import { EXIT_USAGE, OperatorError } from '../src/lib/process/operator-error.ts'
import { commands } from './commands.ts'
import type { Command } from './command-type.ts'
import { describeFailure } from './failure.ts'
import { prepareSettings } from './commands/settings.ts'
import type { SettingsOptions } from './commands/settings.ts'

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

const EXIT_CODES = 'Exit codes: 0 success, 1 failure, 2 keys scan found secrets, 64 wrong usage, 78 invalid settings'

function lines(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}\n`).join('')
}

function help(): string {
  const rows = Object.entries(commands).map(
    ([name, { usage, summary }]) => [`${name} ${usage}`.trimEnd(), summary] as const,
  )
  const options = [
    ['-h, --help', 'show this help; after a command, its options'],
    ['-v, --version', 'show the version'],
  ] as const
  return `Usage: paylink-auth COMMAND\n\nCommands\n${lines(rows)}\nOptions\n${lines(options)}\n${EXIT_CODES}\n`
}

const ENV_FILE_HELP = '--env-file FILE  read settings from FILE; default: .env, or the unit’s /etc/paylink-auth.env'
const MOVED_HELP = '--even-though-moved  use the embedded database even though it was copied to PostgreSQL'

/** Options of every command with settings. */
const settingsOptions = { 'env-file': { type: 'string' } } as const
const writingOptions = { ...settingsOptions, 'even-though-moved': { type: 'boolean' } } as const

function helpOf(name: string, { usage, summary, more = [], database }: Command): string {
  const options = [
    ...more.filter((line) => line.startsWith('--')),
    ...(database === 'offline' ? [] : [ENV_FILE_HELP]),
    ...(database === 'writes' ? [MOVED_HELP] : []),
  ]
  const prose = more.filter((line) => !line.startsWith('--'))
  const rows = options.map((line) => line.split(/ {2}/, 2) as [string, string])
  return [
    `Usage: paylink-auth ${`${name} ${usage}`.trimEnd()}${rows.length > 0 ? ' [OPTIONS]' : ''}\n`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...prose,
    ...(rows.length > 0 ? [`\nOptions\n${lines(rows).trimEnd()}`] : []),
    `\n${EXIT_CODES}\n`,
  ].join('\n')
}

function optionsFor(command: Command | undefined) {
  if (command === undefined || command.database === 'offline') return {}
  return command.database === 'writes' ? writingOptions : settingsOptions
}

const wrongUsage = (message: string, usage: string) =>
  new OperatorError(message, EXIT_USAGE, { lines: [message, '', ...usage.split('\n')] })

// A command's options are known only after the command, so only words before the first option count.
function findCommand(words: readonly string[]): string | undefined {
  return [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => Object.hasOwn(commands, name))
}

async function main(given: readonly string[]): Promise<number> {
  const end = given.findIndex((word) => word.startsWith('-'))
  const name = findCommand(end === -1 ? given : given.slice(0, end))
  const command = name === undefined ? undefined : commands[name]
  const usage = command === undefined || name === undefined ? help() : helpOf(name, command)
  const words = name?.split(' ').length ?? 0
  let parsed
  try {
    parsed = parseArgs({
      args: given.slice(words),
      allowPositionals: true,
      options: { ...command?.options, ...optionsFor(command), ...common },
    })
  } catch (error) {
    throw wrongUsage((error as Error).message, usage)
  }
  const { values, positionals } = parsed
  if (values.help || values.version) {
    for (const line of (values.help ? usage : version).split('\n')) writeLine(line)
    return 0
  }
  if (command === undefined) throw wrongUsage(given.length === 0 ? 'Missing command.' : 'Unknown command.', usage)
  const [min, max] = command.takes
  if (positionals.length < min) throw wrongUsage(`Missing argument: ${command.usage}.`, usage)
  if (positionals.length > max) throw wrongUsage(`Unexpected argument: ${positionals[max]}.`, usage)
  const oldestNode = Number(engines.node.replace('>=', ''))
  // npm only warns, and an unpacked package is not checked at all.
  if (Number.parseInt(process.versions.node, 10) < oldestNode) {
    throw new OperatorError(`paylink-auth needs Node ${oldestNode} or newer; this is ${process.version}.`)
  }
  if (command.database !== 'offline') prepareSettings(command.database, values as SettingsOptions)
  return (await command.run(values as Parameters<Command['run']>[0], positionals)) ?? 0
}

// Only the owner may read the database and the signing secret.
process.umask(0o077)
onOutputError(({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Node would print the message unescaped.
  const { lines: failed, exitCode } = describeFailure(error)
  for (const line of failed) writeErrorLine(line)
  process.exit(exitCode)
}
