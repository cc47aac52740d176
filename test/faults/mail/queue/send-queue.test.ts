import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consumeLink, findLink } from '../../../../src/domain/sign-in/magic-link-store.ts'
import { leaseMail, postponeMail } from '../../../../src/domain/mails/mail-queue-store.ts'
import { sha256 } from '../../../../src/lib/hash.ts'
import { withReadOnlyStorage } from '../../../support/database/faults.ts'
import { withPlugin } from '../../../support/database/with-plugin.ts'
import { withPlanted } from '../../../support/database/triggers.ts'
import { startMailing, tokenIn, until } from '../../../support/mail/mailing.ts'
import type { Mailing } from '../../../support/mail/mailing.ts'
import { startSmtp } from '../../../support/mail/smtp.ts'
import type { SmtpOptions } from '../../../support/mail/smtp.ts'

const smtpError = (responseCode: number) => Object.assign(new Error('no'), { responseCode })

async function withMailing(options: SmtpOptions, work: (mailing: Mailing) => Promise<void>): Promise<void> {
  const mailing = await startMailing(options)
  try {
    await work(mailing)
  } finally {
    await mailing.close()
  }
}

/** The next due time of the one queued mail, once it has been tried this often. */
async function untilTried({ waiting }: Mailing, times: number): Promise<number> {
  let rows = await waiting()
  await until(async () => {
    rows = await waiting()
    return rows.length === 1 && rows[0]?.attempts === times && rows[0].leased_until_ms === null
  }, `attempt ${times}`)
  return rows[0]?.due_at_ms ?? 0
}

describe('a server that refuses temporarily', { concurrency: true }, () => {
  // For an hour, not until a link expires: the link is created when the mail is sent, so it cannot be stale.
  test('gets the mail after a growing delay, once it accepts, and not before [F20]', async () => {
    let refusals = 3
    const refuse: SmtpOptions = {
      onRcptTo: ({ address }, _session, done) =>
        done(address === 'ana@example.com' && refusals-- > 0 ? smtpError(450) : null),
    }
    await withMailing(refuse, async (mailing) => {
      const { clock, queue, smtp } = mailing
      await mailing.enqueue({ email: 'ana@example.com' })
      queue.start()
      for (const attempt of [1, 2, 3]) {
        const delay = (await untilTried(mailing, attempt)) - clock.now()
        const shortest = 1000 * 2 ** (attempt - 1)
        assert.ok(delay >= shortest && delay <= shortest * 1.5, `${delay} ms after attempt ${attempt}`)
        // The due mail proves that the queue ran and left the other alone.
        clock.advance(delay - 1)
        await mailing.enqueue({ email: `due-${attempt}@example.com` })
        queue.wake()
        await smtp.mailTo(`due-${attempt}@example.com`)
        await untilTried(mailing, attempt)
        clock.advance(1)
        queue.wake()
      }
      const mail = await smtp.mailTo('ana@example.com')
      await until(() => queue.attempts().sent === 4)
      assert.deepEqual(await mailing.waiting(), [])
      assert.equal(smtp.mails.filter(({ to }) => to.includes('ana@example.com')).length, 1)
      // The three mails that were due between the attempts, and this one.
      assert.deepEqual(queue.attempts(), { sent: 4, refused: 3, failed: 0, given_up: 0 })
      assert.ok(await findLink(mailing.db, sha256(tokenIn(mail)), clock.now()))
    })
  })

  test('is tried for an hour before the mail is dropped', async () => {
    let isRefusing = true
    const refuse: SmtpOptions = {
      onMailFrom: (_from, _session, done) => done(isRefusing ? smtpError(451) : null),
    }
    await withMailing(refuse, async (mailing) => {
      const { clock, queue } = mailing
      const startMs = clock.now()
      await mailing.enqueue({ email: 'ana@example.com' })
      queue.start()
      let lastMs = startMs
      for (let attempt = 1; ; attempt += 1) {
        await until(async () => {
          const [row] = await mailing.waiting()
          return row === undefined || (row.attempts === attempt && row.leased_until_ms === null)
        })
        const [row] = await mailing.waiting()
        if (row === undefined) break
        assert.ok(row.due_at_ms <= startMs + 3_600_000)
        lastMs = row.due_at_ms
        clock.advance(row.due_at_ms - clock.now())
        queue.wake()
      }
      assert.ok(lastMs - startMs > 3_600_000 - 91_000, `tried for only ${lastMs - startMs} ms`)
      // Readers miss the row before its deletion is durable, and the log line comes after that.
      await until(() => mailing.logLines.some((line) => line.includes('"mail given up"') && line.includes('451')))
      isRefusing = false
      await mailing.enqueue({ email: 'bob@example.com' })
      queue.wake()
      await mailing.smtp.mailTo('bob@example.com')
      assert.equal(mailing.smtp.mails.length, 1)
    })
  })

  test('or does not listen gets the mail once it does [F18]', async () => {
    await withMailing({}, async (mailing) => {
      const port = Number(new URL(mailing.smtp.url).port)
      await mailing.smtp.close()
      await mailing.enqueue({ email: 'ana@example.com' })
      mailing.queue.start()
      await untilTried(mailing, 1)
      const server = await startSmtp({}, port)
      mailing.clock.advance(1500)
      mailing.queue.wake()
      await server.mailTo('ana@example.com')
      await until(async () => (await mailing.waiting()).length === 0)
      server.cutConnections()
      await server.close()
    })
  })
})

describe('a permanent refusal', { concurrency: true }, () => {
  const refusals: Readonly<Record<string, SmtpOptions>> = {
    'of the recipient': {
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? smtpError(550) : null),
    },
    'of the mail': {
      beforeAnswer: async ({ to }) => (to[0]?.startsWith('gone') ? smtpError(554) : null),
    },
  }
  for (const [where, options] of Object.entries(refusals)) {
    test(`${where} drops this mail at once, and the others are sent [F20]`, async () => {
      await withMailing(options, async (mailing) => {
        await mailing.enqueue({ email: 'gone@example.com' })
        await mailing.enqueue({ email: 'ana@example.com' })
        mailing.queue.start()
        await mailing.smtp.mailTo('ana@example.com')
        await until(async () => (await mailing.waiting()).length === 0)
        const givenUp = () => mailing.logLines.filter((line) => line.includes('"mail given up"')).length
        await until(() => givenUp() > 0 && mailing.queue.attempts().sent > 0)
        assert.equal(givenUp(), 1)
        assert.deepEqual(mailing.queue.attempts(), { sent: 1, refused: 0, failed: 0, given_up: 1 })
        assert.doesNotMatch(mailing.logLines.join(''), /example\.com/)
      })
    })
  }

  test('of the connection drops no mail, because the configuration is at fault', async () => {
    await withMailing({ onConnect: (_session, done) => done(smtpError(554)) }, async (mailing) => {
      await mailing.enqueue({ email: 'ana@example.com' })
      mailing.queue.start()
      await untilTried(mailing, 1)
      assert.equal((await mailing.waiting()).length, 1)
    })
  })
})

// Another token, because no token is stored that could be sent again. Using one voids both.
test('after an unknown outcome another token is sent; both work until one is used [F21]', async () => {
  let cuts = 1
  const closeOnce: SmtpOptions = {
    beforeAnswer: async () => {
      if (cuts-- > 0) await new Promise(() => running?.smtp.cutConnections())
    },
  }
  let running: Mailing | undefined
  await withMailing(closeOnce, async (mailing) => {
    running = mailing
    const { clock, db, queue, smtp } = mailing
    await mailing.enqueue({ email: 'ana@example.com', redirectTo: 'https://app.example/in' })
    queue.start()
    const first = tokenIn(await smtp.mailTo('ana@example.com'))
    await untilTried(mailing, 1)
    clock.advance(1500)
    queue.wake()
    const second = tokenIn(await smtp.mailTo('ana@example.com'))
    await until(async () => (await mailing.waiting()).length === 0)

    assert.notEqual(first, second)
    for (const token of [first, second]) {
      const link = await findLink(db, sha256(token), clock.now())
      assert.deepEqual([link?.email, link?.redirect_to], ['ana@example.com', 'https://app.example/in'])
    }
    const use = (token: string) => db.transaction((trx) => consumeLink(trx, sha256(token), clock.now()))
    assert.ok(await use(first))
    assert.equal(await use(second), false)
    assert.equal(await use(first), false)
    assert.equal(smtp.mails.length, 2)
  })
})

test('a database that is read-only for a while loses no mail and does not stop the queue', async () => {
  await withMailing({}, async (mailing) => {
    await mailing.enqueue({ email: 'ana@example.com' })
    await withReadOnlyStorage(mailing.db, async () => {
      mailing.queue.start()
      await until(() => mailing.logLines.some((line) => line.includes('could not use the database')))
      assert.equal(mailing.smtp.mails.length, 0)
    })
    await mailing.smtp.mailTo('ana@example.com')
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal(mailing.smtp.mails.length, 1)
  })
})

test('a mail whose composition fails is tried again after a delay, and delays no other', async () => {
  await withMailing({}, async (mailing) => {
    const { clock, db, queue, smtp } = mailing
    const broken = ['first@broken.example', 'second@broken.example']
    const fails = { on: 'before insert', table: 'magic_links', fail: 'on fire' } as const
    await withPlanted(db, [{ ...fails, when: "new.email like '%@broken.example'" }], async () => {
      for (const email of ['ana@example.com', ...broken, 'bob@example.com']) await mailing.enqueue({ email })
      queue.start()
      await smtp.mailTo('ana@example.com')
      await smtp.mailTo('bob@example.com')
      await until(async () => {
        const rows = await mailing.waiting()
        return rows.length === 2 && rows.every((row) => row.attempts === 1 && row.leased_until_ms === null)
      })
      for (const { due_at_ms: dueAtMs } of await mailing.waiting()) {
        assert.ok(dueAtMs >= clock.now() + 1000 && dueAtMs <= clock.now() + 1500)
      }
      assert.equal(smtp.mails.length, 2)
      assert.doesNotMatch(mailing.logLines.join(''), /could not use|broken\.example/)
    })
    clock.advance(1500)
    queue.wake()
    for (const email of broken) await smtp.mailTo(email)
    await until(() => queue.attempts().sent === 4)
    assert.deepEqual(await mailing.waiting(), [])
    assert.equal(smtp.mails.length, 4)
    assert.deepEqual(queue.attempts(), { sent: 4, refused: 0, failed: 2, given_up: 0 })
  })
})

test('a database that fails after a composition has is asked once a second, not more often', async () => {
  const mailing = await startMailing()
  await mailing.enqueue({ email: 'ana@example.com' })
  const isOnFire = { on: 'before insert', table: 'magic_links', fail: 'on fire' } as const
  await withPlanted(mailing.db, [isOnFire], async () => {
    let transactions = 0
    const queue = mailing.anotherQueue((db) => ({
      ...withPlugin(db, { transformQuery: ({ node }) => node, transformResult: async ({ result }) => result }),
      transaction(work, options) {
        transactions += 1
        return transactions === 1 ? db.transaction(work, options) : Promise.reject(new Error('down'))
      },
    }))
    queue.start()
    await until(() => mailing.logLines.some((line) => line.includes('could not use the database')))
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(transactions, 2)
    await queue.close()
    assert.equal((await mailing.waiting())[0]?.attempts, 0)
  })
  await mailing.close()
})

test('a late failure ends no later lease, and a mail that another process has postponed is not leased', async () => {
  await withMailing({}, async ({ clock, db, enqueue, waiting }) => {
    await enqueue({ email: 'ana@example.com' })
    const nowMs = clock.now()
    const [{ id } = assert.fail()] = await waiting()
    const lease = async (atMs: number) =>
      (await db.transaction((trx) => leaseMail(trx, { id, nowMs: atMs, untilMs: atMs + 30_000 })))[0]
    const first = (await lease(nowMs)) ?? assert.fail()
    const second = (await lease(nowMs + 30_000)) ?? assert.fail()
    await postponeMail(db, first, nowMs + 31_000)
    assert.equal((await waiting())[0]?.leased_until_ms, nowMs + 60_000)
    await postponeMail(db, second, nowMs + 90_000)
    assert.equal((await waiting())[0]?.leased_until_ms, null)
    assert.equal(await lease(nowMs + 89_999), undefined)
    assert.equal((await lease(nowMs + 90_000))?.attempts, 3)
  })
})
