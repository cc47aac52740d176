import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort, temporaryFolderOnDisk } from '../support/files.ts'
import { assertWhole, databasePath, queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import {
  cannotForbidWriting,
  cannotMount,
  mountSmallDisk,
  withUnwritableFiles,
} from '../support/database/small-disk.ts'
import type { SmallDisk } from '../support/database/small-disk.ts'
import { fillUp, isRefused, signUp } from '../support/database/full-disk.ts'
import { until } from '../support/until.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const WRITERS = 64

/** The addresses of all accounts. */
const emailsIn = async (folder: string) =>
  (await queryDatabase(folder, 'select email from users')).map(({ email }) => String(email)).toSorted()

/** Signs up repeatedly until one signup is refused; returns the accepted addresses. */
async function signUpUntilRefused(service: Served, name: string): Promise<string[]> {
  for (const told: string[] = []; ;) {
    const email = `n${told.length}@${name}.example`
    const answer = await signUp(service, email)
    if (answer.status !== 201) {
      assert.ok(isRefused(answer), answer.text)
      return told
    }
    told.push(email)
  }
}

/** Asserts that reads succeed and that writes are refused, except for revocations. */
async function assertReadsOnly(service: Served, { token, apiKey, keySecret }: any): Promise<void> {
  const body = { keyId: apiKey.keyId, keySecret }
  const exchanged = await service.call('POST /auth/api/token', { body })
  assert.equal(exchanged.status, 200, exchanged.text)
  for (const accepted of [token, exchanged.body.token]) {
    assert.equal((await service.call('GET /users/me', { token: accepted })).status, 200)
    assert.equal((await service.call('GET /auth/check', { token: accepted })).status, 200)
  }
  assert.equal((await service.call('GET /auth/api-keys', { token })).status, 200)
  const refused = await Promise.all([
    signUp(service, 'refused@full.example'),
    service.call('POST /auth/api-keys', { token, body: { name: 'refused' } }),
    service.call('POST /payment-links', { token, body: { title: 'refused', amount: 100 } }),
    service.call('POST /auth/request', { body: { email: 'refused@full.example' } }),
  ])
  assert.deepEqual(
    refused.map((answer) => (isRefused(answer) ? 'refused' : answer.text)),
    refused.map(() => 'refused'),
  )
}

describe('on a small disk', { skip: cannotMount }, () => {
  let disk: SmallDisk
  let smtp: SmtpStandIn
  let service: Served
  let env: Record<string, string>
  let known: any
  let verify: string
  const told = ['known@example.com']
  const serve = async () => (service = await serveIn(disk.path, env))
  before(async () => {
    disk = mountSmallDisk(12)
    smtp = await startSmtp()
    // One address for all restarts, because tokens are issued for it.
    env = { SMTP_URL: smtp.url, PORT: String(await freePort()) }
    await serve()
    known = (await signUp(service, 'known@example.com')).body
    await service.call('POST /auth/request', { body: { email: 'linked@example.com' } })
    verify = `GET /auth/verify${linkIn(await smtp.mailTo('linked@example.com')).search}`
  })
  after(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    await smtp.close()
    disk.remove()
  })

  test('that fills up under 64 writers, exactly the acknowledged writes are there, tokens are checked, and the service recovers by itself [F6]', async (t) => {
    for (const leftKib of [700, 450, 300]) {
      disk.fill(leftKib)
      const writers = Array.from({ length: WRITERS }, (_, n) => signUpUntilRefused(service, `left${leftKib}writer${n}`))
      const acknowledged = (await Promise.all(writers)).flat()
      t.diagnostic(`${acknowledged.length} of ${acknowledged.length + WRITERS} signups found room in ${leftKib} KiB`)
      assert.ok(acknowledged.length > 0, 'it filled up in the middle')
      told.push(...acknowledged)
      const makeRoom = await fillUp(disk, service, known.token)
      await assertReadsOnly(service, known)
      assert.deepEqual(await emailsIn(disk.path), told.toSorted())
      makeRoom()
      told.push(`room${leftKib}@example.com`)
      await until(async () => (await signUp(service, `room${leftKib}@example.com`)).status === 201)
    }
    assert.equal(service.process.child.exitCode, null)
  })

  test('that is full, the service starts again after kill -9 with exactly the acknowledged writes', async () => {
    const makeRoom = await fillUp(disk, service, known.token)
    assert.ok(isRefused(await service.call(verify)), 'a link that cannot be marked as used is not used up')
    service.process.kill('SIGKILL')
    await service.process.exited
    await serve()
    await assertReadsOnly(service, known)
    makeRoom()
    await until(async () => (await service.call(verify)).status === 200)
    assert.equal((await service.call('GET /users/me', { token: known.token })).status, 200)
    await service.stop()
    assert.deepEqual(await emailsIn(disk.path), [...told, 'linked@example.com'].toSorted())
    await assertWhole(disk.path)
    assert.equal(smtp.mails.filter(({ to }) => to.includes('refused@full.example')).length, 0)
  })
})

test(
  'on a disk with less space than the write-ahead log may take, writes continue in the log’s own space',
  { skip: cannotMount },
  async (t) => {
    const disk = mountSmallDisk(12)
    t.after(() => disk.remove())
    const service = await serveIn(disk.path)
    t.after(() => service.process.kill('SIGKILL'))
    const { token } = (await signUp(service, 'known@example.com')).body
    disk.fill(5 * 1024)
    // Four times the space that is left.
    for (let written = 0; written < 20_000 * 1024; written += 10 * 4096) {
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) => service.call('PATCH /users/me', { token, body: { name: `n${n}` } })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200),
      )
    }
  },
)

test(
  'on a full disk freed space goes to the database too, not only to its log: writes find room each time',
  { skip: cannotMount },
  async (t) => {
    const disk = mountSmallDisk(40)
    t.after(() => disk.remove())
    const service = await serveIn(disk.path)
    t.after(() => service.process.kill('SIGKILL'))
    const file = databasePath(disk.path)
    for (let n = 0; statSync(`${file}-wal`).size < 5_000_000; n += 1) await signUp(service, `n${n}@example.com`)
    for (let step = 0; step < 3; step += 1) {
      disk.fill()
      await signUpUntilRefused(service, `full${step}`)
      const bytes = statSync(file).size
      disk.free(6144)
      let n = 0
      await until(async () => {
        await signUp(service, `step${step}n${(n += 1)}@example.com`)
        return statSync(file).size > bytes
      }, 'the database grows')
    }
  },
)

describe('on a failing disk', () => {
  const folder = temporaryFolderOnDisk()
  let service: Served
  let known: any
  before(async () => {
    service = await serveIn(folder.path)
    known = (await signUp(service, 'known@example.com')).body
  })
  after(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    folder.remove()
  })

  test(
    'that accepts no write, writes are refused, tokens are checked, and the service recovers by itself [F7]',
    { skip: cannotForbidWriting },
    async () => {
      const files = ['', '-wal'].map((end) => `${databasePath(folder.path)}${end}`)
      await withUnwritableFiles(files, async () => {
        await assertReadsOnly(service, known)
        for (const route of [`POST /auth/api-keys/${known.apiKey.id}/revoke`, 'POST /auth/tokens/revoke'])
          assert.ok(isRefused(await service.call(route, { token: known.token })), route)
        assert.equal((await service.call('GET /users/me', { token: known.token })).status, 200)
      })
      assert.deepEqual(await emailsIn(folder.path), ['known@example.com'])
      assert.equal((await signUp(service, 'again@example.com')).status, 201, 'without a restart')
      assert.deepEqual(await emailsIn(folder.path), ['again@example.com', 'known@example.com'])
      assert.deepEqual(await queryDatabase(folder.path, 'select id from payment_links'), [])
    },
  )

  test('that truncates a memory-mapped file, the process exits at once instead of hanging', async () => {
    truncateSync(`${databasePath(folder.path)}-shm`)
    await service.call('GET /users/me', { token: known.token }).catch(() => {})
    const { signal } = await service.process.exited
    assert.equal(signal, 'SIGBUS')
    service = await serveIn(folder.path, { PORT: new URL(service.origin).port })
    assert.equal((await service.call('GET /users/me', { token: known.token })).status, 200)
    await service.stop()
    await assertWhole(folder.path)
  })
})
