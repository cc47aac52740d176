/** No command works on another database than its settings file names. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import { runCli } from '../support/process/process.ts'
import type { CliProcess } from '../support/process/process.ts'
import { CLI } from '../support/process/shipped-build.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.example.com',
  JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU',
  SMTP_URL: 'smtp://127.0.0.1:2525',
}

const folder = temporaryFolder()
after(() => folder.remove())
const file = (name: string, settings: Readonly<Record<string, string>>): string => {
  const path = join(folder.path, name)
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  return path
}

/** Written to the standard error, before anything else. */
const firstLineOf = (command: CliProcess) => command.stderr().split('\n')[0] ?? ''

/** Arguments with which each writing command would change something. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  serve: [],
  migrate: [],
  'users revoke-tokens': ['ana@example.com', '--yes'],
  'users disable': ['ana@example.com', '--yes'],
  'users enable': ['ana@example.com'],
  'users export': ['ana@example.com'],
  'users delete': ['ana@example.com', '--yes'],
  'sessions revoke': ['ana@example.com', '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13', '--yes'],
  'keys create': ['ana@example.com'],
  'keys revoke': ['plk_B2VQcWpA4v3FuvdoyrCKLZ', '--yes'],
  'apps revoke': ['ana@example.com', '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13', '--yes'],
  restore: ['backup.db', '--yes'],
  vacuum: [],
  'copy-to-postgres': ['--to', 'postgres://paylink:hunter2@127.0.0.1:1/paylink'],
  'rates load': ['rates.xml'],
}
const writing = Object.keys(ARGUMENTS)

describe('a command that writes', () => {
  test('is in the list of these tests, and every command with settings takes a file', async () => {
    const { run } = operatorIn(folder.path, {})
    const { output } = await run('--help')
    const names = [...output.matchAll(/^ {2}((?:users|sessions|keys|apps|rates) [\w-]+|[a-z][\w-]*) /gm)].map(
      ([, name = '']) => name,
    )
    const helps = await Promise.all(names.map(async (name) => (await run(...name.split(' '), '--help')).output))
    const having = (option: string) => names.filter((_, n) => helps[n]?.includes(`  ${option} `))
    assert.deepEqual(having('--even-though-moved'), writing)
    assert.deepEqual(
      names.filter((name) => !having('--env-file FILE').includes(name)),
      ['keys scan'],
    )
  })

  test('names the database and the settings file in its first line, without a password', async () => {
    const path = join(folder.path, 'first line.db')
    const named = file('first-line.env', {
      DATABASE_URL: `sqlite:${path}`,
      PORT: '1',
      HOST: '192.0.2.1',
      SMTP_URL: 'smtp://127.0.0.1:2525',
    })
    const runs = writing.map(async (name) => {
      const args = [...name.split(' '), ...(ARGUMENTS[name] ?? []), '--env-file', named]
      const command = runCli(args, { cwd: folder.path })
      const { output } = await command.exited
      const to = name === 'copy-to-postgres' ? ', to postgres://paylink@127.0.0.1:1/paylink' : ''
      assert.equal(firstLineOf(command), `Database: ${path}${to}. Settings: ${named}.`)
      assert.ok(!output.includes('hunter2'), output)
    })
    await Promise.all(runs)
  })

  test('is refused with 78 where a setting of production is missing, and opens no database', async () => {
    const { SMTP_URL: _, ...incomplete } = PRODUCTION
    const DATA_DIR = join(folder.path, 'untouched')
    const named = file('incomplete.env', { ...incomplete, DATA_DIR })
    const runs = writing.map(async (name) => {
      const args = [...name.split(' '), ...(ARGUMENTS[name] ?? []), '--env-file', named]
      const { code, output } = await runCli(args, { cwd: folder.path }).exited
      assert.equal(code, 78, `${name}: ${output}`)
      assert.match(output, /SMTP_URL is required in production/)
    })
    await Promise.all(runs)
    assert.ok(!existsSync(DATA_DIR))
  })
})

describe('a settings file', () => {
  // As a URL of PostgreSQL has them: a shell would cut the value at & and expand $.
  const settings = { ...PRODUCTION, DATA_DIR: join(folder.path, 'left-behind') }
  const path = join(folder.path, 'now?a=b&c=d$e.db')
  let named: string
  before(async () => {
    named = file('paylink-auth.env', { ...settings, DATABASE_URL: `sqlite:${path}` })
    const leftBehind = file('left-behind.env', settings)
    for (const own of [named, leftBehind]) {
      const operator = operatorIn(folder.path, {})
      assert.equal((await operator.run('migrate', '--env-file', own)).code, 0)
    }
  })

  test('names the database literally, with & and $', async () => {
    const command = runCli(['migrate', '--env-file', named], { cwd: folder.path })
    await command.exited
    assert.equal(firstLineOf(command), `Database: ${path}. Settings: ${named}.`)
  })

  test('gives way to the environment, and the first line names what was replaced', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder.path, 'left-behind', 'paylink-auth.db')}` }
    const command = runCli(['migrate', '--env-file', named], { cwd: folder.path, env })
    await command.exited
    assert.match(firstLineOf(command), /left-behind.*, except DATABASE_URL from the environment\.$/)
  })

  test('of the unit is read by default, also where a shell has lost its DATABASE_URL', async (t) => {
    const etc = join(folder.path, 'etc')
    mkdirSync(etc, { recursive: true })
    execFileSync('cp', [named, join(etc, 'paylink-auth.env')])
    const run = (script: string) => {
      const all = `mount --bind "$0" /etc && cd "$0/.." && ${script} "$@" 2>&1`
      try {
        const args = ['--mount', 'sh', '-c', all, etc, process.execPath, CLI, 'migrate']
        return execFileSync('unshare', args, { encoding: 'utf8', env: { PATH: process.env['PATH'] }, stdio: 'pipe' })
      } catch {
        return undefined
      }
    }
    const byDefault = run('')
    if (byDefault === undefined) return t.skip('needs root and unshare')
    assert.equal(byDefault.split('\n')[0], `Database: ${path}. Settings: /etc/paylink-auth.env.`)
    const afterShell = run('set -a && . /etc/paylink-auth.env; wait; set +a;')
    assert.equal(afterShell?.split('\n')[0], byDefault.split('\n')[0])
  })

  test('is refused if it is the wrong one, and nothing is opened', async () => {
    const empty = file('none.env', { OTHER: '1' })
    const earlier = readdirSync(folder.path)
    const { code, output } = await runCli(['users', 'list', '--env-file', empty], { cwd: folder.path }).exited
    assert.equal(code, 78, output)
    assert.match(output, /none\.env contains no setting of this service/)
    assert.deepEqual(readdirSync(folder.path), earlier)
  })
})
