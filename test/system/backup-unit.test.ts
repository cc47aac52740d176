/** The backup unit and its timer, without systemd: systemd accepts them, and their commands do what they say. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import { serveIn } from '../support/process/served.ts'
import { CLI } from '../support/process/shipped-build.ts'

/** The highest exposure that systemd may report, in tenths: the unit has no network. */
const MAX_EXPOSED = 5
const KEPT = 14

const deploy = join(import.meta.dirname, '../../deploy')
const service = 'paylink-auth-backup.service'
const unit = readFileSync(join(deploy, service), 'utf8')
const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(key)

function analyze(...args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  return { status, said: stdout + stderr }
}

test('systemd accepts every line, and reports low exposure', (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  writeFileSync(join(folder.path, service), unit.replace('WorkingDirectory=/opt/paylink-auth', 'WorkingDirectory=/'))
  cpSync(join(deploy, 'paylink-auth-backup.timer'), join(folder.path, 'paylink-auth-backup.timer'))
  const verify = () => analyze('verify', '--man=no', join(folder.path, 'paylink-auth-backup.timer')).said
  assert.equal(verify(), '')
  const { status, said } = analyze('security', '--offline=true', `--threshold=${MAX_EXPOSED}`, join(deploy, service))
  assert.equal(status, 0, said)
})

test('its settings are those of the service, on the folders of the service', () => {
  const ofService = readFileSync(join(deploy, 'paylink-auth.service'), 'utf8')
  for (const line of ['User=paylink-auth', 'EnvironmentFile=/etc/paylink-auth.env', 'UMask=0077'])
    for (const text of [unit, ofService]) assert.ok(text.includes(`\n${line}\n`), line)
  const environment = new Map(
    valueOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const folders = valueOf('StateDirectory').split(' ')
  assert.deepEqual(
    folders.map((name) => `/var/lib/${name}`),
    ['/var/lib/paylink-auth', environment.get('BACKUPS')],
  )
  assert.equal(environment.get('BACKUPS_KEPT'), String(KEPT))
})

test('it makes a backup that can be restored, then removes all but the newest, and removes nothing when it fails', async (t) => {
  const folder = temporaryFolder()
  const backups = join(folder.path, 'backups')
  mkdirSync(backups)
  const served = await serveIn(folder.path)
  t.after(() => folder.remove())
  assert.equal((await served.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).status, 201)
  const old = Array.from({ length: 20 }, (_, n) => `paylink-auth-202601${String(n + 1).padStart(2, '0')}T000000Z.db`)
  const foreign = ['notes.txt', 'paylink-auth-before-upgrade.db', 'paylink-auth-20260105.db', 'mine.part']
  for (const name of [...old, 'paylink-auth-20260105T010000Z.db.part', ...foreign])
    writeFileSync(join(backups, name), '')

  const run = (key: string, env: Record<string, string> = {}) => {
    const [, script = ''] = /^\/bin\/sh -euc '(.*)'$/.exec(valueOf(key)) ?? assert.fail(valueOf(key))
    assert.doesNotMatch(script.replaceAll('$$', ''), /[$']/)
    // systemd's own escapes.
    const text = script.replaceAll('$$', '$').replaceAll('%%', '%').replaceAll('\\\\', '\\')
    const here = text.replace('/usr/bin/node', process.execPath).replaceAll('/opt/paylink-auth', dirname(CLI))
    return spawnSync('/bin/sh', ['-euc', here], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], BACKUPS: backups, BACKUPS_KEPT: String(KEPT), ...env },
    })
  }

  const failed = run('ExecStart', { DATABASE_URL: 'sqlite:./elsewhere.db' })
  assert.notEqual(failed.status, 0)
  for (const BACKUPS_KEPT of ['', '0', '00', 'abc', '-1', '1.5', '14 ', '999999999999999999999'])
    assert.notEqual(run('ExecStartPre', { BACKUPS_KEPT }).status, 0, BACKUPS_KEPT)
  for (const BACKUPS_KEPT of ['1', '14', '99999']) assert.equal(run('ExecStartPre', { BACKUPS_KEPT }).status, 0)
  assert.equal(readdirSync(backups).length, old.length + 1 + foreign.length)

  const made = run('ExecStart')
  assert.equal(made.status, 0, made.stderr)
  const removed = run('ExecStartPost')
  assert.equal(removed.status, 0, removed.stderr)
  const left = readdirSync(backups)
    .filter((name) => !foreign.includes(name))
    .toSorted()
  assert.deepEqual(left.slice(0, -1), old.slice(-(KEPT - 1)))
  const newest = join(backups, left.at(-1) ?? '')
  assert.equal(statSync(newest).mode & 0o777, 0o600)
  for (const name of foreign) assert.ok(readdirSync(backups).includes(name), name)
  // With few backups there is nothing to remove.
  assert.equal(run('ExecStartPost').status, 0)
  assert.equal(readdirSync(backups).length, KEPT + foreign.length)
  const nothing = join(folder.path, 'nothing')
  mkdirSync(nothing)
  assert.equal(run('ExecStartPost', { BACKUPS: nothing }).status, 0)
  assert.notEqual(run('ExecStartPost', { BACKUPS: join(folder.path, 'missing') }).status, 0)
  // A file that cannot be removed fails the unit.
  mkdirSync(join(nothing, old[0] ?? ''))
  writeFileSync(join(nothing, old[1] ?? ''), '')
  assert.notEqual(run('ExecStartPost', { BACKUPS: nothing, BACKUPS_KEPT: '1' }).status, 0)

  await served.stop()
  const { code, output } = await operatorIn(folder.path, {}).run('restore', newest, '--yes')
  assert.equal(code, 0, output)
})

test('the timer runs it daily, and makes up for a missed day', () => {
  const timer = readFileSync(join(deploy, 'paylink-auth-backup.timer'), 'utf8')
  const [, calendar = ''] = /^OnCalendar=(.+)$/m.exec(timer) ?? []
  assert.equal(analyze('calendar', calendar).status, 0)
  assert.match(timer, /^Persistent=true$/m)
})

test('the journal’s limits are settings that journald knows', () => {
  const known = new Set(
    readFileSync('/etc/systemd/journald.conf', 'utf8')
      .match(/^#?\w+(?==)/gm)
      ?.map((key) => key.replace('#', '')),
  )
  const set = readFileSync(join(deploy, 'journald.conf'), 'utf8').match(/^\w+(?==)/gm) ?? []
  assert.deepEqual(set, ['SystemMaxUse', 'SystemKeepFree', 'MaxRetentionSec'])
  for (const key of set) assert.ok(known.has(key), key)
})
