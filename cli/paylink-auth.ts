#!/usr/bin/env node
/** The command line: `paylink-auth serve`, `migrate`, `copy-to-postgres`, `rates load` and `keys scan`. */
import { parseArgs } from 'node:util'
import { version } from '../src/version.ts'

const HELP = `Usage: paylink-auth COMMAND

Commands
  serve                 apply missing migrations and run the service (settings: docs/settings.md)
  migrate               apply missing migrations and stop
  copy-to-postgres      copy the embedded database into an empty PostgreSQL one, whole or not at all;
                        stop the service first
    --from sqlite:PATH    default: the one in DATA_DIR
    --to postgres://…     default: DATABASE_URL, which other users of the machine cannot see
  rates load FILE       take exchange rates from a document of the National Bank of Romania (XML)
  keys scan FILE…       look for API key secrets in files and folders (-: what is piped in), offline

Options
  -h, --help       show this
  -v, --version    show the version

Exit codes: 0 done, 1 could not be done, 2 keys scan found secrets, 64 wrong usage, 78 wrong settings
`

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
        from: { type: 'string' },
        to: { type: 'string' },
      },
    })
  } catch (error) {
    return fail((error as Error).message)
  }
}

const { values, positionals } = readArguments()
const [command = '', ...rest] = positionals
const { from, to } = values
if (values.help) console.log(HELP)
else if (values.version) console.log(version)
else if (command === 'copy-to-postgres' && rest.length === 0) {
  process.exitCode = await (await import('./copy-to-postgres.ts')).copyToPostgres({ from, to })
} else if (from !== undefined || to !== undefined) fail('--from and --to are of copy-to-postgres only.')
else if (command === 'serve' && rest.length === 0) await (await import('../src/main.ts')).serve()
else if (command === 'migrate' && rest.length === 0) await (await import('../src/main.ts')).migrateOnly()
else if (command === 'rates' && rest[0] === 'load' && rest.length === 2) {
  process.exitCode = await (await import('./load-rates.ts')).loadRates(rest[1] ?? '')
} else if (command === 'keys' && rest[0] === 'scan' && rest.length > 1) {
  process.exitCode = await (await import('./scan-keys.ts')).scanKeys(rest.slice(1))
} else fail('Say what to do.')
