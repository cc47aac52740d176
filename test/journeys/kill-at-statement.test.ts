/** kill -9 after each statement of a write, one by one: the write is complete or absent. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { callAt } from '../support/http/call.ts'
import type { Answer } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { openSqliteFile, serveIn } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'

const HOOK = fileURLToPath(new URL('../support/faults/kill-after-statement.ts', import.meta.url))
const MAX_STATEMENTS = 30
/** Absent at first, then complete from COMMIT on, then so late that the answer was sent. */
const WHOLE_SWEEP = /^(not there,){3,}(there,)+answered$/

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
    const env = { PORT: port, SMTP_URL: smtp.url, NODE_COMPILE_CACHE: join(folder.path, 'compile-cache') }
    await work({ folder: folder.path, env, mailedToken })
  } finally {
    await smtp.close()
    folder.remove()
  }
}

/** The answer of a process that is killed after `statements`; undefined if it was killed before it answered. */
async function callUntilKilled(
  statements: number,
  { folder, env }: Place,
  route: string,
  body?: unknown,
): Promise<Answer | undefined> {
  const [, path = ''] = /^\w+ ([^?]+)/.exec(route) ?? []
  const hook = { NODE_OPTIONS: `--import=${HOOK}`, KILL_AFTER: String(statements), KILL_ON: path }
  const service = await serveIn(folder, { ...env, ...hook })
  const answer = await callAt(service.baseUrl, route, body === undefined ? {} : { body }).catch(() => undefined)
  service.process.kill('SIGKILL')
  assert.equal((await service.process.exited).signal, 'SIGKILL')
  return answer
}

describe('a process killed after the n-th statement', { concurrency: true }, () => {
  test('of a signup leaves account, key, notice and all other rows, or none [F2]', async () => {
    await withPlace(async (place) => {
      const first = await serveIn(place.folder, place.env)
      assert.equal((await first.call('POST /auth/api/signup', { body: { email: 'whole@example.com' } })).status, 201)
      await place.mailedToken('whole@example.com')
      await first.stop()
      emptyMailQueue(place.folder)
      const { mail_buttons: _, ...one } = rowsOf(place.folder)

      const states: string[] = []
      let accounts = 1
      for (let statements = 1; statements <= MAX_STATEMENTS; statements++) {
        const email = `n${statements}@example.com`
        const answer = await callUntilKilled(statements, place, 'POST /auth/api/signup', { email })
        const { mail_buttons: _actions, queued_mails: mails, ...rows } = rowsOf(place.folder)
        const isThere = rows['users'] === accounts + 1
        if (isThere) accounts += 1
        // Exactly one complete signup per account.
        for (const [table, count] of Object.entries(rows)) {
          const each = one[table] ?? 0
          if (['users', 'api_keys', 'security_events'].includes(table))
            assert.equal(count, each * accounts, `${table} after ${statements}`)
        }
        states.push(answer?.status === 201 ? 'answered' : isThere ? 'there' : 'not there')
        if (answer !== undefined) break
        assert.equal(mails, isThere ? 1 : 0, `the notice after ${statements} statements`)
        emptyMailQueue(place.folder)
      }
      assert.match(states.join(), WHOLE_SWEEP)

      const again = await serveIn(place.folder, place.env)
      for (const [index, state] of states.entries()) {
        const retried = await again.call('POST /auth/api/signup', { body: { email: `n${index + 1}@example.com` } })
        assert.equal(retried.status, state === 'not there' ? 201 : 409, state)
      }
      await again.stop()
    })
  })

  test('of a first sign-in has used the link up exactly if the account is claimed [F2, M4]', async () => {
    await withPlace(async (place) => {
      const first = await serveIn(place.folder, place.env)
      const links: string[] = []
      for (let n = 0; n <= MAX_STATEMENTS; n++) {
        const email = `n${n}@example.com`
        assert.equal((await first.call('POST /auth/api/signup', { body: { email } })).status, 201)
        await place.mailedToken(email)
        assert.equal((await first.call('POST /auth/request', { body: { email } })).status, 200)
        links.push(await place.mailedToken(email))
      }
      await first.stop()
      emptyMailQueue(place.folder)
      const before = rowsOf(place.folder)
      assert.equal(before['magic_links'], links.length)

      const states: string[] = []
      for (let statements = 1; statements <= MAX_STATEMENTS; statements++) {
        const claimed = claimedIn(place.folder)
        const { magic_links: out = 0, security_events: events = 0 } = rowsOf(place.folder)
        const answer = await callUntilKilled(statements, place, `GET /auth/verify?token=${links[statements]}`)
        const isClaimed = claimedIn(place.folder) === claimed + 1
        const rows = rowsOf(place.folder)
        assert.equal(rows['magic_links'], isClaimed ? out - 1 : out, `the link after ${statements} statements`)
        if ('security_events' in rows && !isClaimed)
          assert.equal(rows['security_events'], events, 'no event for a sign-in that did not happen')
        states.push(answer?.status === 200 ? 'answered' : isClaimed ? 'there' : 'not there')
        emptyMailQueue(place.folder)
        if (answer !== undefined) break
      }
      assert.match(states.join(), WHOLE_SWEEP)

      const again = await serveIn(place.folder, place.env)
      for (const [index, state] of states.entries()) {
        const use = () => again.call(`GET /auth/verify?token=${links[index + 1]}`)
        assert.equal((await use()).status, state === 'not there' ? 200 : 401, state)
        assert.equal((await use()).status, 401, 'never twice')
      }
      await again.stop()
    })
  })
})
