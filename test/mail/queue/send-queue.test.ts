import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../../src/database/database.ts'
import { deleteMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { findLink } from '../../../src/domain/sign-in/magic-link-store.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { textAtRest } from '../../support/database/at-rest.ts'
import { openAt } from '../../support/database/database.ts'
import { withPlugin } from '../../support/database/with-plugin.ts'
import { startMailing, tokenIn, until } from '../../support/mail/mailing.ts'
import type { Mailing } from '../../support/mail/mailing.ts'
import type { ReceivedMail } from '../../support/mail/smtp.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

/** What a second process sees of a mail's link before the SMTP server has accepted the mail. */
type Seen = { committed: boolean; tokenAtRest: boolean }

/** Addresses whose mail the server holds, and the function that accepts or refuses it. */
const held = new Map<string, (outcome?: Error) => void>()
const seen = new Map<string, Seen>()

let mailing: Mailing
/** The database as a second process sees it. */
let reader: Database
before(async () => {
  mailing = await startMailing({
    async beforeAnswer(mail) {
      const [to = ''] = mail.to
      seen.set(to, await inspect(mail))
      if (to.startsWith('held') && !held.has(to)) return new Promise((resolve) => held.set(to, resolve))
      return undefined
    },
  })
  reader = openAt(mailing.databaseUrl)
  mailing.queue.start()
})
after(async () => {
  await mailing.close()
  await reader.close()
})

async function inspect(mail: ReceivedMail): Promise<Seen> {
  const token = tokenIn(mail)
  const link = await findLink(reader, sha256(token), mailing.clock.now())
  const atRest = await textAtRest(reader)
  return { committed: link !== undefined, tokenAtRest: atRest.includes(token) }
}

const mailsTo = (email: string) => mailing.smtp.mails.filter(({ to }) => to.includes(email))
const linkOf = (mail: ReceivedMail) => findLink(mailing.db, sha256(tokenIn(mail)), mailing.clock.now())
const isDone = async (email: string) => !(await mailing.waiting()).some((row) => row.email === email)

/** Queues a mail and wakes the queue, as a feature does after its transaction. */
async function ask(email: string, redirectTo?: string): Promise<void> {
  await mailing.enqueue({ email, ...(redirectTo ? { redirectTo } : {}) })
  mailing.queue.wake()
}

describe('a queued mail', () => {
  test('goes out at once when the queue is woken, once, and leaves the queue', async () => {
    const tookMs = stopwatch()
    for (const name of ['ana', 'bob', 'eva', 'ion', 'mia']) {
      const email = `${name}@example.com`
      await ask(email)
      await until(() => isDone(email))
      assert.equal(mailsTo(email).length, 1)
    }
    assert.ok(tookMs() < 3000, 'found by the queue’s poll, they would take a second each')
  })

  test('reaches the server only after its link’s hash is committed; its token is never stored [M3]', () => {
    assert.deepEqual(seen.get('ana@example.com'), { committed: true, tokenAtRest: false })
  })

  test('carries a link that works for exactly ten minutes', async () => {
    const [mail] = mailsTo('ana@example.com') as [ReceivedMail]
    const link = await linkOf(mail)
    assert.equal(link?.email, 'ana@example.com')
    assert.equal(link?.expires_at_ms, mailing.clock.now() + 600_000)
    assert.match(tokenIn(mail), /^[\w-]{43}$/)
  })

  test('queued by another process is found without a wake within about a second', async () => {
    await mailing.enqueue({ email: 'unrung@example.com' })
    await mailing.smtp.mailTo('unrung@example.com', 2500)
  })
})

test('a mail that is deleted between its search and its lease is not sent and leaves no link', async () => {
  const { db, smtp, ...own } = await startMailing()
  await own.enqueue({ email: 'ana@example.com' })
  const [{ id } = assert.fail()] = await own.waiting()
  const queue = own.anotherQueue((watched) => ({
    ...withPlugin(watched, { transformQuery: ({ node }) => node, transformResult: async ({ result }) => result }),
    async transaction(work, options) {
      await deleteMail(db, id)
      return watched.transaction(work, options)
    },
  }))
  queue.start()
  await until(async () => (await own.waiting()).length === 0)
  await own.enqueue({ email: 'bob@example.com' })
  queue.wake()
  await smtp.mailTo('bob@example.com')
  const links = await db.query.selectFrom('magic_links').select('email').execute()
  assert.deepEqual(links, [{ email: 'bob@example.com' }])
  assert.equal(smtp.mails.length, 1)
  await own.close()
})

describe('requests for one address', () => {
  test('that wait together become one mail, with the redirectTo of the first', async () => {
    const waiting = await startMailing()
    for (const page of ['one', 'two', 'three']) {
      await waiting.enqueue({ email: 'many@example.com', redirectTo: `https://app.example/${page}` })
    }
    await waiting.enqueue({ email: 'other@example.com', redirectTo: 'https://app.example/other' })
    assert.equal((await waiting.waiting()).length, 2)
    waiting.queue.start()
    const mail = await waiting.smtp.mailTo('many@example.com')
    await waiting.smtp.mailTo('other@example.com')
    await until(async () => (await waiting.waiting()).length === 0)
    assert.equal(waiting.smtp.mails.length, 2)
    const link = await findLink(waiting.db, sha256(tokenIn(mail)), waiting.clock.now())
    assert.equal(link?.redirect_to, 'https://app.example/one')
    await waiting.close()
  })

  test('of two kinds do not replace each other', async () => {
    const email = 'kinds@example.com'
    const user = { id: 'kinds', email, role: 'USER', token_version: 0, created_at_ms: 1 }
    await mailing.db.query.insertInto('users').values(user).execute()
    await mailing.enqueue({ email, kind: 'signup_notice' })
    await ask(email)
    await until(() => isDone(email))
    const subjects = new Set(mailsTo(email).map(({ message }) => message.subject))
    assert.deepEqual(subjects, new Set(['Sign in to Paylink', 'An account was created with your address']))
  })

  test('made while the older mail is being sent are not lost: both mails arrive', async () => {
    const email = 'held-then-accepted@example.com'
    await ask(email, 'https://app.example/older')
    await until(() => held.has(email))
    await ask(email, 'https://app.example/newer')
    held.get(email)?.()
    await until(() => isDone(email))
    const links = await Promise.all(mailsTo(email).map(linkOf))
    assert.deepEqual(
      links.map((link) => link?.redirect_to),
      ['https://app.example/older', 'https://app.example/newer'],
    )
  })

  test('made while the older mail is being refused go out without its delay', async () => {
    const email = 'held-then-refused@example.com'
    await ask(email, 'https://app.example/older')
    await until(() => held.has(email))
    await ask(email, 'https://app.example/newer')
    await until(() => mailsTo(email).length === 2)
    held.get(email)?.(Object.assign(new Error('not now'), { responseCode: 451 }))
    await until(() => isDone(email))
    assert.equal(mailsTo(email).length, 2)
    assert.equal((await linkOf(mailsTo(email)[1] as ReceivedMail))?.redirect_to, 'https://app.example/newer')
  })
})

describe('a server that delays some mails', () => {
  test('does not delay the others: up to five are in progress at a time', async () => {
    const slow = Array.from({ length: 7 }, (_, n) => `held-${n}@example.com`)
    for (const email of slow.slice(0, 4)) await ask(email)
    await until(() => slow.slice(0, 4).every((email) => held.has(email)))
    await ask('quick@example.com')
    await mailing.smtp.mailTo('quick@example.com')

    for (const email of slow.slice(4)) await ask(email)
    await until(() => slow.filter((email) => held.has(email)).length === 5)
    // The fifth place is taken: the next mail waits until one is free.
    await ask('later@example.com')
    const leased = (await mailing.waiting()).filter((row) => row.leased_until_ms !== null)
    assert.equal(leased.length, 5)
    assert.equal(mailsTo('later@example.com').length, 0)

    for (const email of slow) {
      await until(() => held.has(email))
      held.get(email)?.()
    }
    await until(async () => (await mailing.waiting()).length === 0)
    for (const email of [...slow, 'later@example.com']) assert.equal(mailsTo(email).length, 1, email)
  })
})

test('no address, link or token is in the log [M3]', () => {
  const log = mailing.logLines.join('')
  assert.match(log, /"mail sent"/)
  assert.doesNotMatch(log, /example\.com|token=|verify/)
  for (const { message } of mailing.smtp.mails) {
    const tokens = [...(message.text ?? '').matchAll(/token=([\w-]{43})/g)]
    assert.ok(tokens.length > 0, 'a not-me token at least')
    for (const [, token = ''] of tokens) assert.ok(!log.includes(token))
  }
})
