import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { createLog } from '../../src/lib/log.ts'
import { createThreadedTransport } from '../../src/mail/threaded-transport.ts'
import { startSmtp } from '../support/mail/smtp.ts'

const content = { subject: 'Sign in', text: 'Open it', html: '<p>Open it</p>' }

test('a thread that fails is logged, fails the mails under way, and the next mail has another [F39]', async (t) => {
  const server = await startSmtp({
    beforeAnswer: ({ to }) => (to[0] === 'held@example.com' ? new Promise(() => {}) : Promise.resolve()),
  })
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const transport = createThreadedTransport(new URL(server.url), 'no-reply@paylink.example', log)
  t.after(async () => {
    transport.close()
    server.cutConnections()
    await server.close()
  })
  const send = (to: string, text = content.text) =>
    transport.send({ ...content, to, text }, AbortSignal.timeout(60_000))

  const held = assert.rejects(send('held@example.com'), { message: 'the thread that sends mails has ended' })
  await server.mailTo('held@example.com')
  // Far more than the thread's memory: just above it, the thread collects garbage for seconds before it fails.
  await assert.rejects(send('ana@example.com', 'ö '.repeat(3e7)), { message: 'the thread that sends mails has ended' })
  await held
  await send('ana@example.com')
  assert.deepEqual(
    server.mails.flatMap(({ to }) => to),
    ['held@example.com', 'ana@example.com'],
  )
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"code":"ERR_WORKER_OUT_OF_MEMORY".*"the thread that sends mails failed"/)
})

test('a thread that ends between two mails is replaced for the next one', async (t) => {
  const server = await startSmtp()
  const transport = createThreadedTransport(new URL(server.url), 'no-reply@paylink.example', createLog('silent'))
  t.after(async () => {
    transport.close()
    server.cutConnections()
    await server.close()
  })
  const threads: Worker[] = []
  const note = (thread: Worker) => void threads.push(thread)
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  await transport.send({ ...content, to: 'ana@example.com' }, AbortSignal.timeout(60_000))
  await threads[0]?.terminate()
  await transport.send({ ...content, to: 'bob@example.com' }, AbortSignal.timeout(60_000))
  assert.equal(threads.length, 2)
  assert.deepEqual(
    server.mails.flatMap(({ to }) => to),
    ['ana@example.com', 'bob@example.com'],
  )
})

test(
  'the thread has a lower priority than the others of the process',
  { skip: process.platform !== 'linux' && 'a thread has no priority of its own' },
  async (t) => {
    const server = await startSmtp()
    const transport = createThreadedTransport(new URL(server.url), 'no-reply@paylink.example', createLog('silent'))
    t.after(async () => {
      transport.close()
      server.cutConnections()
      await server.close()
    })
    const tasks = '/proc/self/task'
    const nicenessOf = (id: number | string) =>
      Number(readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16])
    const own = nicenessOf(process.pid)
    await transport.send({ ...content, to: 'ana@example.com' }, AbortSignal.timeout(60_000))
    assert.deepEqual(
      readdirSync(tasks)
        .map(nicenessOf)
        .filter((nice) => nice !== own),
      [constants.priority.PRIORITY_BELOW_NORMAL],
    )
  },
)
