import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../support/mail/mailing.ts'
import { startService } from '../../../support/service.ts'
import { startLineSmtp } from '../../../support/mail/smtp-lines.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

test('a slow mail server delays no request and gets at most five connections [F19]', async (t) => {
  // No greeting and no end: a byte now and then, often enough to avoid the sender's idle timeout.
  const slow = await startLineSmtp(undefined, (socket) => {
    const timer = setInterval(() => socket.write('2'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const service = await startService({ SMTP_URL: slow.url.href })
  t.after(async () => {
    // First, because closing the service waits for mails that are being sent.
    await slow.close()
    await service.close()
  })

  const ask = (n: number) => service.call('POST /auth/request', { body: { email: `n${n}@example.com` } })
  for (let n = 0; n < 5; n++) assert.equal((await ask(n)).status, 200)
  await until(() => slow.open() === 5, 'five connections')
  for (let n = 5; n < 60; n++) {
    const tookMs = stopwatch()
    const answer = await ask(n)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { ok: true })
    assert.ok(tookMs() < 5000, 'no answer waits for the mail server')
  }
  const waiting = await service.db.query.selectFrom('queued_mails').select('email').execute()
  assert.equal(waiting.length, 60, 'every accepted request is stored')
  assert.equal(slow.mostOpen(), 5)
  assert.deepEqual(slow.messages, [])
})

test('an attempt at a mail server that answers endlessly is abandoned after 25 seconds', async (t) => {
  const endless = await startLineSmtp((command, socket) => {
    if (!command.startsWith('EHLO')) return undefined
    const timer = setInterval(() => socket.write('2'), 1000)
    socket.on('close', () => clearInterval(timer))
    return ''
  })
  const service = await startService({ SMTP_URL: endless.url.href })
  t.after(async () => {
    await endless.close()
    await service.close()
  })
  await service.call('POST /auth/request', { body: { email: 'ana@example.com' } })
  await until(() => endless.open() === 1, 'a connection')
  const start = performance.now()
  await until(() => endless.open() === 0, 'its end', 120_000)
  const tookMs = performance.now() - start
  assert.ok(tookMs > 20_000, `${tookMs} ms: not the connection’s own timeout`)
  const rows = () => service.db.query.selectFrom('queued_mails').select(['attempts', 'leased_until_ms']).execute()
  await until(async () => (await rows())[0]?.leased_until_ms === null)
  assert.deepEqual(await rows(), [{ attempts: 1, leased_until_ms: null }])
})

test('with an unresolvable mail server every request is stored, answered alike and retried [F18]', async (t) => {
  const service = await startService({ SMTP_URL: 'smtps://mail.invalid:465', LOG_LEVEL: 'info' })
  t.after(() => service.close())
  for (const email of ['ana@example.com', 'bob@example.com']) {
    const answer = await service.call('POST /auth/request', { body: { email } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { ok: true })
  }
  const rows = () => service.db.query.selectFrom('queued_mails').selectAll().orderBy('email').execute()
  await until(async () => (await rows()).every((row) => row.attempts === 1 && row.leased_until_ms === null))
  const waiting = await rows()
  assert.deepEqual(
    waiting.map(({ email }) => email),
    ['ana@example.com', 'bob@example.com'],
  )
  for (const row of waiting) assert.ok(row.due_at_ms > service.clock.now())
  const warned = () => service.logLines.filter((line) => line.includes('"mail not sent, will be tried again"'))
  await until(() => warned().length >= 2)
  assert.equal(warned().length, 2)
  for (const line of warned()) assert.doesNotMatch(line, /ana@|bob@|token/)
  for (const line of warned()) assert.match(JSON.parse(line).cause, /^DNS: .*resolver\.$/)
})
