import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { isPromiseOfMail, violations } from '../support/faults/crash-history.ts'
import { CrashWriter } from '../support/faults/crash-writer.ts'
import { clusterUrl } from '../support/database/database.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { assertWhole, databaseEnv, queryDatabase } from '../support/process/served.ts'
import type { CliProcess } from '../support/process/process.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { until } from '../support/until.ts'

/** Fewer of both on PostgreSQL: the database survives the process anyway. */
const KILLS = clusterUrl === undefined ? 25 : 6
const WRITERS = clusterUrl === undefined ? 50 : 20
/** A life ends after a random number of answers up to this one, not after a time: a slow machine would answer none. */
const MOST_ANSWERS = 60
/** The leases of a killed process end after 30 seconds; then its mails are sent. */
const MAILS_WITHIN_MS = 90_000

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

// Mulberry32: small, and deterministic on every machine.
function seeded(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

async function start(cwd: string, port: number, smtpUrl: string): Promise<CliProcess> {
  const service = runCli(['serve'], {
    cwd,
    env: {
      ...(await databaseEnv(cwd)),
      PORT: String(port),
      SMTP_URL: smtpUrl,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
  })
  await service.waitFor('curl')
  return service
}

// PostgreSQL may answer too late on a busy machine, which is a 503 and no fault.
const TOO_LATE = /"message":"(timeout e|Query read timeout|timed out w|Connection terminated due to connection timeout)/
const errorsIn = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
    .filter((line) => clusterUrl === undefined || !TOO_LATE.test(line))

const answersTo = (writers: readonly CrashWriter[]) =>
  writers.flatMap(({ log }) => log).filter(({ outcome }) => outcome !== 'unknown').length

async function assertNothingLost(t: TestContext): Promise<void> {
  const folder = temporaryFolder()
  const port = await freePort()
  const links = new Map<string, string[]>()
  const smtp = await startSmtp({
    beforeAnswer: async ({ to, message }) => {
      const [, link] = /token=([\w-]+)/.exec(message.text ?? '') ?? []
      if (link !== undefined && to[0]) links.set(to[0], [...(links.get(to[0]) ?? []), link])
    },
  })
  let service: CliProcess | undefined
  t.after(async () => {
    service?.kill('SIGKILL')
    await smtp.close()
    folder.remove()
  })
  const mailbox = { linksTo: (address: string) => links.get(address) ?? [] }
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => new CrashWriter(port, mailbox, seeded(seed + index + 1)),
  )
  const random = seeded(seed)

  for (let kill = 0; kill < KILLS; kill++) {
    service = await start(folder.path, port, smtp.url)
    const writing = Promise.all(writers.map((writer) => writer.writeUntilCut()))
    const answers = answersTo(writers) + random() * MOST_ANSWERS
    await until(() => answersTo(writers) >= answers, 'calls are answered')
    service.kill('SIGKILL')
    await Promise.all([writing, service.exited])
    assert.deepEqual(errorsIn(service.output()), [])
  }

  service = await start(folder.path, port, smtp.url)
  const mailed = new Set<string>()
  const promised = writers.flatMap(({ log }) => log).filter(isPromiseOfMail)
  const deadline = performance.now() + MAILS_WITHIN_MS
  while (promised.some(({ account }) => !mailed.has(account)) && performance.now() < deadline) {
    await wait(200)
    for (const { to } of smtp.mails) mailed.add(to[0] ?? '')
  }
  await Promise.all(writers.map((writer) => writer.lookAgain()))
  service.kill('SIGTERM')
  assert.equal((await service.exited).code, 0)

  await assertWhole(folder.path)
  const partialSignups =
    'select email from users where claimed_at_ms is null and id not in (select user_id from api_keys)'
  assert.deepEqual(await queryDatabase(folder.path, partialSignups), [], 'a signup is complete or absent')
  const rows: { email: string; name: string | null }[] = await queryDatabase(
    folder.path,
    'select email, name from users',
  )

  const log = writers.flatMap((writer) => writer.log)
  const count = (outcome: string) => log.filter((entry) => entry.outcome === outcome).length
  t.diagnostic(
    `${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown, ${smtp.mails.length} mails`,
  )
  assert.ok(count('unknown') >= KILLS, 'the kills cut off calls')
  assert.ok(count('done') >= KILLS, 'calls were answered before them')
  const names = new Map(rows.map(({ email, name }) => [email, name]))
  assert.deepEqual(violations(log, { names, mailed }).slice(0, 10), [])
}

test(`nothing acknowledged is lost after ${KILLS} times kill -9 (SEED=${seed}) [F1]`, (t) => assertNothingLost(t))
