import assert from 'node:assert/strict'
import test from 'node:test'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { withPlugin } from '../../support/database/with-plugin.ts'
import { startMailing, until } from '../../support/mail/mailing.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const MAILS = 20

const seeing = (see: (node: RootOperationNode) => void): KyselyPlugin => ({
  transformQuery({ node }) {
    see(node)
    return node
  },
  transformResult: async ({ result }) => result,
})

test('the queue is read once for a mail that no other one waits behind', async (t) => {
  const mailing = await startMailing()
  t.after(() => mailing.close())
  let reads = 0
  const counting = seeing((node) => {
    if (node.kind === 'SelectQueryNode' && node.setOperations?.length === 2) reads += 1
  })
  const queue = mailing.anotherQueue((db) => withPlugin(db, counting))
  queue.start()
  await until(() => reads > 0, 'the read of a start')
  const atFirst = reads

  const startedAtMs = performance.now()
  for (let n = 0; n < MAILS; n += 1) {
    await mailing.enqueue({ email: `ana${n}@example.com` })
    queue.wake()
    await until(async () => (await mailing.waiting()).length === 0, 'the mail is sent')
  }
  const polls = Math.ceil((performance.now() - startedAtMs) / 1000)
  assert.equal(mailing.smtp.mails.length, MAILS)
  const more = reads - atFirst
  assert.ok(more >= MAILS && more <= MAILS + polls, `${more} reads for ${MAILS} mails`)
})

test('a mail that waits for another one to its mailbox goes out right after it', async (t) => {
  const answers: (() => void)[] = []
  const mailing = await startMailing({
    beforeAnswer: () => new Promise((resolve) => answers.push(() => resolve(undefined))),
  })
  t.after(() => mailing.close())
  for (const tag of ['', '+a', '+b', '+c', '+d', '+e']) await mailing.enqueue({ email: `ana${tag}@example.com` })
  mailing.queue.start()
  const tookMs = stopwatch()
  await until(() => answers.length === 5, 'five at a time')
  answers.splice(0).forEach((answer) => answer())
  await until(() => answers.length === 1, 'the sixth')
  answers.splice(0).forEach((answer) => answer())
  await until(async () => (await mailing.waiting()).length === 0)
  assert.equal(mailing.smtp.mails.length, 6)
  assert.ok(tookMs() < 4000, 'found by the queue’s poll, they would take a second each')
})

test('mails that end and mails that go out share transactions: fewer than one for each mail', async (t) => {
  const mailing = await startMailing()
  t.after(() => mailing.close())
  for (let n = 0; n < MAILS; n += 1) await mailing.enqueue({ email: `ana${n}@example.com` })
  let transactions = 0
  const queue = mailing.anotherQueue((db) => ({
    ...withPlugin(
      db,
      seeing(() => {}),
    ),
    transaction(work, options) {
      transactions += 1
      return db.transaction(work, options)
    },
  }))
  queue.start()
  await until(async () => (await mailing.waiting()).length === 0, 'all are sent')
  assert.equal(mailing.smtp.mails.length, MAILS)
  assert.ok(transactions < MAILS, `${transactions} for ${MAILS} mails`)
})

test('a transaction that takes long goes on to no further mail', async (t) => {
  const mailing = await startMailing()
  t.after(() => mailing.close())
  for (let n = 0; n < 5; n += 1) await mailing.enqueue({ email: `ana${n}@example.com` })
  /** Links and buttons, by transaction. */
  const inserts: number[] = []
  const slow = seeing((node) => {
    if (node.kind !== 'InsertQueryNode') return
    inserts[inserts.length - 1] = (inserts.at(-1) ?? 0) + 1
    for (const tookMs = stopwatch(); tookMs() < 30;);
  })
  const queue = mailing.anotherQueue((db) => {
    const slowDb = withPlugin(db, slow)
    return {
      ...slowDb,
      transaction(work, options) {
        inserts.push(0)
        return slowDb.transaction(work, options)
      },
    }
  })
  queue.start()
  await until(async () => (await mailing.waiting()).length === 0, 'all are sent')
  assert.ok(Math.max(...inserts) <= 4, `${Math.max(...inserts)} of 10 in one transaction`)
  assert.equal(mailing.smtp.mails.length, 5)
})
