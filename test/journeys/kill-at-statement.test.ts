/** What kill -9 leaves after each statement of a write: the write is complete or absent. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { openSqliteFile, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { until } from '../support/until.ts'
import { startSmtp } from '../support/mail/smtp.ts'

const HOOK = new URL('../support/faults/crash-after-statement.ts', import.meta.url).href
/** Absent at first, then complete from COMMIT on. */
const WHOLE_SWEEP = /^(not there,){3,}there(,there)*$/

/** Row counts by table, without mails and the tables of the mail queue. */
function rowsOf(folder: string): Record<string, number> {
  const db = openSqliteFile(folder)
  assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  const tables = db.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`).all()
  const count = (table: string) => Number(db.prepare(`select count(*) as n from "${table}"`).get()?.['n'])
  const counts = tables.map(({ name }) => [String(name), count(String(name))] as const)
  db.close()
  return Object.fromEntries(counts)
}

/** Counts claimed accounts, and asserts that each claim voided the earlier tokens and keys. */
function claimedIn(folder: string): number {
  const db = openSqliteFile(folder)
  const rows = db.prepare('select (claimed_at_ms is not null) as a, (token_version > 0) as b from users').all()
  const waiting = db.prepare('select count(*) as n from api_keys where awaits_owner_at_ms is not null').get()
  db.close()
  for (const { a, b } of rows) assert.equal(a, b, 'claimed and signed out everywhere, or neither')
  const claimed = rows.filter(({ a }) => a === 1).length
  assert.equal(waiting?.['n'], claimed, 'the key of a claimed account awaits its owner')
  return claimed
}

function emptyMailQueue(folder: string): void {
  const db = openSqliteFile(folder)
  db.exec('delete from queued_mails')
  db.close()
}

type Place = Readonly<{ folder: string; env: Record<string, string>; mailedToken(email: string): Promise<string> }>

/** Gives a folder, a mail server and fixed settings that successive processes share. */
async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const smtp = await startSmtp()
  const port = String(await freePort())
  const mailedToken = async (email: string) =>
    /token=([\w-]+)/.exec((await smtp.mailTo(email)).message.text ?? '')?.[1] ?? ''
  try {
    const env = { PORT: port, SMTP_URL: smtp.url }
    await work({ folder: folder.path, env, mailedToken })
  } finally {
    await smtp.close()
    folder.remove()
  }
}

/** Runs the work on a service, and returns the folders that kills after each statement of the path would leave. */
async function leftByKills({ folder, env }: Place, path: string, work: (service: Served) => Promise<void>) {
  const service = await serveIn(folder, { ...env, NODE_OPTIONS: `--import=${HOOK}`, KILL_ON: path })
  await work(service)
  await service.stop()
  const copies = readdirSync(join(folder, 'copies')).toSorted((a, b) => Number(a) - Number(b))
  return copies.map((name) => join(folder, 'copies', name))
}

/** Kills the process after `statements`, before it answers. */
async function callUntilKilled(statements: number, { folder, env }: Place, route: string, body?: unknown) {
  const [, path = ''] = /^\w+ ([^?]+)/.exec(route) ?? []
  const hook = { NODE_OPTIONS: `--import=${HOOK}`, KILL_AFTER: String(statements), KILL_ON: path }
  const service = await serveIn(folder, { ...env, ...hook })
  await assert.rejects(callAt(service.baseUrl, route, body === undefined ? {} : { body }))
  assert.equal((await service.process.exited).signal, 'SIGKILL')
}

describe('a process killed after the n-th statement', { concurrency: true }, () => {
  test('of a signup leaves account, key, notice and all other rows, or none [F2]', async () => {
    await withPlace(async (place) => {
      const signUp = (email: string) => ['POST /auth/api/signup', { body: { email } }] as const
      const left = await leftByKills(place, '/auth/api/signup', async (service) => {
        assert.equal((await service.call(...signUp('whole@example.com'))).status, 201)
        await place.mailedToken('whole@example.com')
      })
      const whole = rowsOf(place.folder)
      const none = rowsOf(left[0] ?? '')
      assert.deepEqual([none['users'], whole['users']], [0, 1])
      const states = left.map((folder, index) => {
        const { mail_buttons: _buttons, queued_mails: mails, ...rows } = rowsOf(folder)
        const isThere = rows['users'] === 1
        const { mail_buttons: _allButtons, queued_mails: _allMails, ...expected } = isThere ? whole : none
        assert.deepEqual(rows, expected, `after ${index + 1} statements`)
        // A committed notice is sent, and deleted, at some later statement.
        if (!isThere) assert.equal(mails, 0, `a notice after ${index + 1} statements`)
        return isThere ? 'there' : 'not there'
      })
      assert.match(states.join(), WHOLE_SWEEP)

      const absentUntil = states.indexOf('there')
      emptyMailQueue(place.folder)
      for (const [statements, isThere] of [
        [absentUntil, false],
        [absentUntil + 1, true],
      ] as const) {
        await callUntilKilled(statements, place, 'POST /auth/api/signup', { email: `n${statements}@example.com` })
        const rows = rowsOf(place.folder)
        assert.equal(rows['users'], isThere ? 2 : 1)
        assert.equal(rows['queued_mails'], isThere ? 1 : 0, `the notice after ${statements} statements`)
      }
      const again = await serveIn(place.folder, place.env)
      for (const [statements, status] of [
        [absentUntil, 201],
        [absentUntil + 1, 409],
      ])
        assert.equal((await again.call(...signUp(`n${statements}@example.com`))).status, status)
      await again.stop()
    })
  })

  test('of a first sign-in has used the link up exactly if the account is claimed [F2, M4]', async () => {
    await withPlace(async (place) => {
      const links: string[] = []
      const left = await leftByKills(place, '/auth/verify', async (service) => {
        for (let n = 0; n < 3; n++) {
          const email = `n${n}@example.com`
          assert.equal((await service.call('POST /auth/api/signup', { body: { email } })).status, 201)
          await place.mailedToken(email)
          assert.equal((await service.call('POST /auth/request', { body: { email } })).status, 200)
          links.push(`GET /auth/verify?token=${await place.mailedToken(email)}`)
        }
        // The record of a sent mail would be among the statements.
        await until(() => rowsOf(place.folder)['queued_mails'] === 0)
        assert.equal((await service.call(links[0] ?? '')).status, 200)
      })
      const before = rowsOf(left[0] ?? '')
      assert.equal(before['magic_links'], links.length)
      const states = left.map((folder, index) => {
        const isClaimed = claimedIn(folder) === 1
        const rows = rowsOf(folder)
        assert.equal(rows['magic_links'], links.length - (isClaimed ? 1 : 0), `the link after ${index + 1} statements`)
        if (!isClaimed)
          assert.equal(rows['security_events'], before['security_events'], 'no event for a sign-in that did not happen')
        return isClaimed ? 'there' : 'not there'
      })
      assert.match(states.join(), WHOLE_SWEEP)

      const absentUntil = states.indexOf('there')
      await callUntilKilled(absentUntil, place, links[1] ?? '')
      assert.deepEqual([claimedIn(place.folder), rowsOf(place.folder)['magic_links']], [1, 2])
      await callUntilKilled(absentUntil + 1, place, links[2] ?? '')
      assert.deepEqual([claimedIn(place.folder), rowsOf(place.folder)['magic_links']], [2, 1])

      const again = await serveIn(place.folder, place.env)
      for (const [n, status] of [401, 200, 401].entries()) {
        const use = () => again.call(links[n] ?? '')
        assert.equal((await use()).status, status)
        assert.equal((await use()).status, 401, 'never twice')
      }
      await again.stop()
    })
  })
})
