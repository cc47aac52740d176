import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freePort } from '../../../support/files.ts'
import { startMailing, tokenIn, until } from '../../../support/mail/mailing.ts'
import { runCli } from '../../../support/process/process.ts'
import { startSmtp } from '../../../support/mail/smtp.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

describe('two processes', () => {
  test('with one database send each mail once and share the work', async () => {
    const mailing = await startMailing()
    const emails = Array.from({ length: 60 }, (_, n) => `n${n}@example.com`)
    for (const email of emails) await mailing.enqueue({ email })
    const other = mailing.anotherQueue()
    mailing.queue.start()
    other.start()
    await until(async () => (await mailing.waiting()).length === 0)
    const sent = mailing.smtp.mails.flatMap(({ to }) => to)
    assert.deepEqual(sent.toSorted(), emails.toSorted())
    await mailing.close()
  })

  test('do not take a mail that the other is sending', async () => {
    const hold = Promise.withResolvers<void>()
    const mailing = await startMailing({
      beforeAnswer: async ({ to }) => (to[0] === 'held@example.com' ? hold.promise : undefined),
    })
    await mailing.enqueue({ email: 'held@example.com' })
    mailing.queue.start()
    await mailing.smtp.mailTo('held@example.com')

    const other = mailing.anotherQueue()
    mailing.clock.advance(29_999)
    await mailing.enqueue({ email: 'shows-that-it-ran@example.com' })
    other.start()
    await mailing.smtp.mailTo('shows-that-it-ran@example.com')
    hold.resolve()
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal(mailing.smtp.mails.length, 2)
    await mailing.close()
  })
})

test('the mail of a killed process is sent 30 s later with another token, and not before [M17, F22]', async () => {
  const mailing = await startMailing()
  const { clock, databaseUrl, queue, smtp } = mailing
  const holding = await startSmtp({ beforeAnswer: () => new Promise(() => {}) })
  const port = await freePort()
  const killed = runCli(['serve'], {
    cwd: mailing.folder,
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
      SMTP_URL: holding.url,
      MAIL_FROM: 'no-reply@paylink.example',
    },
  })
  await killed.waitFor('listening')
  const askedAtMs = Date.now()
  const answer = await fetch(`http://localhost:${port}/api/v1/auth/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com' }),
  })
  assert.equal(answer.status, 200)
  const lost = tokenIn(await holding.mailTo('ana@example.com'))
  const sentAtMs = Date.now()
  killed.kill('SIGKILL')
  assert.equal((await killed.exited).signal, 'SIGKILL')
  await holding.close()

  const [row] = await mailing.waiting()
  const leasedUntilMs = row?.leased_until_ms ?? 0
  assert.equal(row?.attempts, 1)
  const leasedAtMs = leasedUntilMs - 30_000
  assert.ok(askedAtMs <= leasedAtMs && leasedAtMs <= sentAtMs, `leased until ${leasedUntilMs}, sent at ${sentAtMs}`)

  clock.advance(leasedUntilMs - 1 - clock.now())
  await mailing.enqueue({ email: 'shows-that-it-ran@example.com' })
  queue.start()
  await smtp.mailTo('shows-that-it-ran@example.com')
  assert.equal(smtp.mails.length, 1)
  assert.equal((await mailing.waiting())[0]?.attempts, 1)

  clock.advance(1)
  queue.wake()
  const token = tokenIn(await smtp.mailTo('ana@example.com'))
  await until(async () => (await mailing.waiting()).length === 0)
  assert.notEqual(token, lost)
  assert.equal(smtp.mails.length, 2)
  await mailing.close()
})

describe('closing', () => {
  test('waits for mails that are being sent and starts no new one', async () => {
    const hold = Promise.withResolvers<void>()
    const mailing = await startMailing({ beforeAnswer: () => hold.promise })
    await mailing.enqueue({ email: 'being-sent@example.com' })
    mailing.queue.start()
    await mailing.smtp.mailTo('being-sent@example.com')

    let isClosed = false
    const closing = mailing.queue.close().then(() => (isClosed = true))
    await mailing.enqueue({ email: 'too-late@example.com' })
    mailing.queue.wake()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(isClosed, false)
    hold.resolve()
    await closing
    const left = await mailing.waiting()
    assert.deepEqual(
      left.map(({ email, attempts }) => [email, attempts]),
      [['too-late@example.com', 0]],
    )
    assert.equal(mailing.smtp.mails.length, 1)
    await mailing.close()
  })

  test('abandons an attempt after five seconds, and the mail stays queued', async () => {
    const hold = Promise.withResolvers<void>()
    const mailing = await startMailing({ beforeAnswer: () => hold.promise })
    await mailing.enqueue({ email: 'never-answered@example.com' })
    mailing.queue.start()
    await mailing.smtp.mailTo('never-answered@example.com')
    const start = performance.now()
    const tookMs = stopwatch()
    await mailing.queue.close()
    assert.ok(
      performance.now() - start > 4900 && tookMs() < 10_000,
      `${tookMs()} ms: before the connection’s own timeout`,
    )
    const left = await mailing.waiting()
    assert.deepEqual(
      left.map(({ email, leased_until_ms }) => [email, leased_until_ms]),
      [['never-answered@example.com', null]],
    )
    hold.resolve()
    await mailing.close()
  })

  test('takes no time if no mail is being sent', async () => {
    let allMs = 0
    for (let n = 0; n < 5; n += 1) {
      const mailing = await startMailing()
      mailing.queue.start()
      await mailing.waiting()
      const tookMs = stopwatch()
      await mailing.queue.close()
      allMs += tookMs()
      await mailing.close()
    }
    assert.ok(allMs < 3000, 'a queue that waits for its next poll takes a second')
  })
})
