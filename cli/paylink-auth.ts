#!/usr/bin/env node
/** The command line: `paylink-auth serve` and `paylink-auth migrate`. */
import { parseArgs } from 'node:util'
import { version } from '../src/version.ts'

const HELP = `Usage: paylink-auth COMMAND

Commands
  serve      apply missing migrations and run the service (settings: see README.md)
  migrate    apply missing migrations and stop

Options
  -h, --help       show this
  -v, --version    show the version

Exit codes: 0 done, 1 could not be done, 64 wrong usage, 78 wrong settings
`

const commands: Readonly<Record<string, () => Promise<void>>> = {
  serve: async () => (await import('../src/main.ts')).serve(),
  migrate: async () => (await import('../src/main.ts')).migrateOnly(),
}

function fail(message: string): never {
  console.error(`${message}\n\n${HELP}`)
  process.exit(64)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    return fail((error as Error).message)
  }
}

const { values, positionals } = readArguments()
const [name = '', ...rest] = positionals
if (values.help) console.log(HELP)
else if (values.version) console.log(version)
else if (!Object.hasOwn(commands, name) || rest.length > 0) fail('Say what to do.')
else await commands[name]?.()
