/** A paused address gets one mail a day of those that others can cause, always with the way out; nothing else is held back. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inTransaction } from '../../src/db/db.ts'
import { insertPause } from '../../src/mail/button-store.ts'
import { assertError } from '../support/answers.ts'
import { buttonIn, countMailsTo, pauseMail, press, signInMail } from '../support/buttons.ts'
import { createKey } from '../support/keys.ts'
import { verify } from '../support/links.ts'
import { startMailing, tokenIn, until } from '../support/mailing.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { contentOf, recipientsOf } from '../support/state.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Asks for a link as anybody can, and gives how many mails the address has got by then. */
async function ask(email: string): Promise<number> {
  const { status, text } = await service.call('POST /auth/request', { body: { email } })
  assert.deepEqual([status, text], [200, '{"ok":true}'])
  service.deps.mailer.wake()
  return countMailsTo(service, email)
}

describe('during a pause', () => {
  test('one mail a day goes out: the next when a day is over, not a millisecond before', async () => {
    const email = 'ana@example.com'
    await pauseMail(service, email)
    assert.equal(await ask(email), 2, 'the first goes out at once')
    service.clock.advance(DAY_MS - 1)
    assert.equal(await ask(email), 2)
    service.clock.advance(1)
    assert.equal(await ask(email), 3)
    assert.equal(await ask(email), 3)
  })

  test('whoever asks is answered as ever; what is not sent leaves no link, no button, no queue', async () => {
    const email = 'bob@example.com'
    await pauseMail(service, email)
    await ask(email)
    const stored = await contentOf(service.db)
    for (let n = 0; n < 5; n++) assert.equal(await ask(email), 2)
    const { links, buttons, mails } = await contentOf(service.db)
    assert.deepEqual({ links, buttons, mails }, { links: stored.links, buttons: stored.buttons, mails: [] })
  })

  test('the mail of the day carries a link that signs in, and the button that ends the pause', async () => {
    const email = 'cia@example.com'
    await pauseMail(service, email)
    for (let day = 0; day < 3; day++) {
      const { link, mail } = await signInMail(service, email)
      assert.match(mail.message.text ?? '', /Mail to you is paused: one a day goes out/)
      assert.ok(buttonIn(mail, 'resume-mail') && buttonIn(mail, 'not-me'))
      assert.equal((await verify(service, link)).status, 200)
      service.clock.advance(DAY_MS)
    }
  })

  test('signing in does not end it: it is still one a day', async () => {
    const email = 'dan@example.com'
    await pauseMail(service, email)
    assert.equal((await verify(service, (await signInMail(service, email)).link)).status, 200)
    assert.equal(await ask(email), 2)
  })

  test('a stranger’s `+tags` of the address are held too, together one a day, and of these any button ends it', async () => {
    const email = 'tia@example.com'
    await pauseMail(service, 'tia+first@example.com')
    const toMailbox = async () => (await recipientsOf(service)).filter((to) => to.startsWith('tia'))
    for (let n = 0; n < 5; n += 1) await ask(`tia+${n}@example.com`)
    await ask(email)
    assert.deepEqual(await toMailbox(), ['tia+first@example.com', 'tia+0@example.com'])
    service.clock.advance(DAY_MS)
    const { mail, link } = await signInMail(service, email)
    assert.equal((await verify(service, link)).status, 200)
    await ask('tia+9@example.com')
    assert.equal(await ask(email), 2, 'an address that is proven by now is not held for its mailbox')
    assert.equal((await toMailbox()).length, 4)
    assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
    assert.equal(await ask('tia+9@example.com'), 1)
  })

  test('everybody else gets all of their mail, with no word of a pause', async () => {
    const email = 'not-paused@example.com'
    for (let n = 0; n < 3; n++) {
      const { mail } = await signInMail(service, email)
      assert.doesNotMatch(mail.message.text ?? '', /paused|resume-mail/)
    }
  })

  test('a mail that tells of the account itself is never held back, and does not count', async () => {
    const email = 'eva@example.com'
    const token = await service.signIn(email)
    await pauseMail(service, email)
    for (let n = 0; n < 3; n++) {
      await createKey(service, token)
      const mail = await service.smtp.mailTo(email, 5000, 'was made from')
      assert.doesNotMatch(mail.message.text ?? '', /resume-mail/)
      await recipientsOf(service)
    }
    assert.ok((await signInMail(service, email)).link, 'the mail of the day is still there')
    service.clock.advance(DAY_MS)
    await createKey(service, token)
    await service.smtp.mailTo(email, 5000, 'was made from')
    await recipientsOf(service)
    assert.ok((await signInMail(service, email)).link, 'and so is that of the next day')
  })

  test('the news of a signup can be the mail of the day', async () => {
    const email = 'fay@example.com'
    await pauseMail(service, email)
    await service.call('POST /auth/api/signup', { body: { email } })
    const mail = await service.smtp.mailTo(email, 5000, 'made an account')
    assert.ok(buttonIn(mail, 'resume-mail'))
    assert.equal(await countMailsTo(service, email), 2)
    assert.equal(await ask(email), 2, 'it was the one of the day')
    // The way out works all the same.
    assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
    assert.equal((await verify(service, (await signInMail(service, email)).link)).status, 200)
  })

  test('another not-me does not put the mail of the day off', async () => {
    const email = 'hal@example.com'
    const old = await signInMail(service, email)
    await pauseMail(service, email)
    service.clock.advance(1000)
    await signInMail(service, email)
    service.clock.advance(DAY_MS - 1)
    assert.equal((await press(service, 'not-me', old.notMe)).status, 200)
    service.clock.advance(1)
    const { link } = await signInMail(service, email)
    assert.equal((await verify(service, link)).status, 200)
  })
})

describe('the mail of the day is used up only by a mail that can be used', () => {
  test('not by one the server refuses, for now or for good: the next that can go out goes out', async (t) => {
    let refusal: number | undefined
    const mailing = await startMailing({
      onRcptTo: (_address, _session, done) =>
        done(refusal === undefined ? null : Object.assign(new Error('no'), { responseCode: refusal })),
    })
    t.after(() => mailing.close())
    const { db, clock, queue, smtp } = mailing
    const email = 'ana@example.com'
    await inTransaction(db, (trx) => insertPause(trx, email, clock.now()))
    queue.start()
    refusal = 450
    await mailing.enqueue({ email })
    queue.wake()
    await until(async () => {
      const [row] = await mailing.waiting()
      return row?.attempts === 1 && row.leased_until_ms === null
    })
    assert.equal((await contentOf(db)).pauses[0]?.mailed_at_ms, null)

    refusal = 550
    clock.advance(2000)
    queue.wake()
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal((await contentOf(db)).pauses[0]?.mailed_at_ms, null)

    refusal = undefined
    await mailing.enqueue({ email })
    queue.wake()
    assert.ok(buttonIn(await smtp.mailTo(email), 'resume-mail'))
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal((await contentOf(db)).pauses[0]?.mailed_at_ms, clock.now())
  })

  test('not by one that was on its way, without the button, when the pause began', async (t) => {
    let letGo = () => {}
    let isHeld = false
    const slow = await startSmtp({
      beforeAnswer: async () => {
        if (isHeld) return
        isHeld = true
        await new Promise<void>((resolve) => (letGo = resolve))
      },
    })
    const held = await startService({ SMTP_URL: slow.url, LOG_LEVEL: 'info' })
    t.after(async () => {
      await held.close()
      await slow.close()
    })
    const email = 'ana@example.com'
    await held.call('POST /auth/request', { body: { email } })
    const onItsWay = await slow.mailTo(email)
    // It is in the mailbox, and can be pressed there, before its server has said so.
    assert.equal((await press(held, 'not-me', buttonIn(onItsWay, 'not-me'))).status, 200)
    assertError(await verify(held, tokenIn(onItsWay)), 'LINK_INVALID')
    letGo()
    await until(() => held.logLines.some((line) => line.includes('"mail sent"')))
    await held.call('POST /auth/request', { body: { email } })
    const ofTheDay = await slow.mailTo(email)
    assert.ok(buttonIn(ofTheDay, 'resume-mail'))
    assert.equal((await verify(held, tokenIn(ofTheDay))).status, 200)
  })
})
