import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { settings } from '../../src/config/settings.ts'
import { temporaryFolder } from '../support/files.ts'

/** The highest exposure that systemd may report, in tenths; the rest is the network, which the service needs. */
const MAX_EXPOSED = 12

const path = join(import.meta.dirname, '../../deploy/paylink-auth.service')
const unit = readFileSync(path, 'utf8')
const valuesOf = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

function analyze(...args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  return { status, said: stdout + stderr }
}

/** Verifies the unit with the paths replaced by existing ones. */
function verify(text: string): string {
  const folder = temporaryFolder()
  const file = join(folder.path, 'paylink-auth.service')
  writeFileSync(
    file,
    text.replace('/usr/bin/node', process.execPath).replace('WorkingDirectory=/opt/paylink-auth', 'WorkingDirectory=/'),
  )
  const { said } = analyze('verify', '--man=no', file)
  folder.remove()
  return said
}

test('systemd accepts every line', () => {
  assert.equal(verify(unit), '')
  assert.match(verify(unit.replace('ProtectClock=', 'ProtectClocks=')), /Unknown key.*ProtectClocks/)
})

test('systemd reports low exposure', () => {
  const { status, said } = analyze('security', '--offline=true', `--threshold=${MAX_EXPOSED}`, path)
  assert.equal(status, 0, said)
  assert.notEqual(analyze('security', '--offline=true', '--threshold=5', path).status, 0, 'the threshold has an effect')
})

test('the service can write where it needs to, and every variable is a setting', () => {
  const pairs = valuesOf('Environment').flatMap((line) => line.split(' '))
  const example = readFileSync(join(path, '../paylink-auth.env'), 'utf8').match(/^[^#].*$/gm) ?? []
  const set = new Map([...pairs, ...example].map((pair) => pair.split('=') as [string, string]))
  assert.equal(set.get('DATA_DIR'), `/var/lib/${valuesOf('StateDirectory')[0]}`)
  assert.equal(set.get('NODE_COMPILE_CACHE'), `/var/cache/${valuesOf('CacheDirectory')[0]}`)
  const names = new Set(['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', ...Object.values(settings).map(({ name }) => name)])
  assert.deepEqual(
    [...set.keys()].filter((name) => !names.has(name)),
    [],
  )
  // Would prevent V8 from compiling.
  assert.deepEqual(valuesOf('MemoryDenyWriteExecute'), [])
})

/** Prints the variables of a folder of files, as a shell could read them. It shares its parser with EnvironmentFile. */
const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator'

test('systemd and Node read the same from every form of value that the documentation allows', (t) => {
  if (!existsSync(GENERATOR)) return t.skip(`needs ${GENERATOR}`)
  const text = `# a comment
    PLAIN=postgres://paylink:p%26w@db.example.com:5432/paylink?sslmode=verify-full&sslrootcert=/etc/ca.pem
    SINGLE='smtps://user:a&b@smtp.example.com:465'
    DOUBLE="a value with blanks = and ; signs"
    BASE64=mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4C+/==
    LIST=127.0.0.1,172.30.0.0/24
`.replaceAll(/^ +/gm, '')
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'environment.d'))
  writeFileSync(join(folder.path, 'environment.d', 'a.conf'), text)
  const { stdout } = spawnSync(GENERATOR, { encoding: 'utf8', env: { XDG_CONFIG_HOME: folder.path } })
  folder.remove()
  const given = { ...parseEnv(text) }
  const read = parseEnv(stdout)
  assert.deepEqual(Object.fromEntries(Object.keys(given).map((name) => [name, read[name]])), given)
})
