import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { insertPause } from '../../../src/domain/mails/mail-button-store.ts'
import { assertError } from '../../support/http/answers.ts'
import { buttonIn, countMailsTo, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { verify } from '../../support/mail/links.ts'
import { startMailing, tokenIn, until } from '../../support/mail/mailing.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { startSmtp } from '../../support/mail/smtp.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Requests a link as anybody can, and returns how many mails the address has got. */
async function ask(email: string): Promise<number> {
  const { status, text } = await service.call('POST /auth/request', { body: { email } })
  assert.deepEqual([status, text], [200, '{"ok":true}'])
  service.deps.mailer.wake()
  return countMailsTo(service, email)
}

describe('during a pause', () => {
  test('one mail a day goes out: the next after a whole day, to the millisecond', async () => {
    const email = 'ana@example.com'
    await pauseMail(service, email)
    assert.equal(await ask(email), 2, 'the first goes out at once')
    service.clock.advance(DAY_MS - 1)
    assert.equal(await ask(email), 2)
    service.clock.advance(1)
    assert.equal(await ask(email), 3)
    assert.equal(await ask(email), 3)
  })

  test('a request gets the usual answer; a mail that is not sent leaves no link, no button and no queued row', async () => {
    const email = 'bob@example.com'
    await pauseMail(service, email)
    await ask(email)
    const stored = await databaseContent(service.db)
    for (let n = 0; n < 5; n++) assert.equal(await ask(email), 2)
    const { links, buttons, mails } = await databaseContent(service.db)
    assert.deepEqual({ links, buttons, mails }, { links: stored.links, buttons: stored.buttons, mails: [] })
  })

  test('the mail of the day has a link that signs in, and the button that ends the pause', async () => {
    const email = 'cia@example.com'
    await pauseMail(service, email)
    for (let day = 0; day < 3; day++) {
      const { link, mail } = await signInMail(service, email)
      assert.match(mail.message.text ?? '', /E-mails to you are paused: you get one a day/)
      assert.ok(buttonIn(mail, 'resume-mail') && buttonIn(mail, 'not-me'))
      assert.equal((await verify(service, link)).status, 200)
      service.clock.advance(DAY_MS)
    }
  })

  test('signing in does not end the pause', async () => {
    const email = 'dan@example.com'
    await pauseMail(service, email)
    assert.equal((await verify(service, (await signInMail(service, email)).link)).status, 200)
    assert.equal(await ask(email), 2)
  })

  test('a stranger’s `+tags` of the address are paused too, with one mail a day together, and the button of any of them ends the pause', async () => {
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
    assert.equal(await ask(email), 2, 'a proven address is not paused with its mailbox')
    assert.equal((await toMailbox()).length, 4)
    assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
    assert.equal(await ask('tia+9@example.com'), 1)
  })

  test('other addresses get all of their mail, without a word about a pause', async () => {
    const email = 'not-paused@example.com'
    for (let n = 0; n < 3; n++) {
      const { mail } = await signInMail(service, email)
      assert.doesNotMatch(mail.message.text ?? '', /paused|resume-mail/)
    }
  })

  test('a notice about the account itself is never held back, and does not count', async () => {
    const email = 'eva@example.com'
    const token = await service.signIn(email)
    await pauseMail(service, email)
    for (let n = 0; n < 3; n++) {
      await createKey(service, token)
      const mail = await service.smtp.mailTo(email, 5000, 'was created from')
      assert.doesNotMatch(mail.message.text ?? '', /resume-mail/)
      await recipientsOf(service)
    }
    assert.ok((await signInMail(service, email)).link, 'the mail of the day is not used up')
    service.clock.advance(DAY_MS)
    await createKey(service, token)
    await service.smtp.mailTo(email, 5000, 'was created from')
    await recipientsOf(service)
    assert.ok((await signInMail(service, email)).link, 'nor is that of the next day')
  })

  test('the notice of a signup can be the mail of the day', async () => {
    const email = 'fay@example.com'
    await pauseMail(service, email)
    await service.call('POST /auth/api/signup', { body: { email } })
    const mail = await service.smtp.mailTo(email, 5000, 'created an account')
    assert.ok(buttonIn(mail, 'resume-mail'))
    assert.equal(await countMailsTo(service, email), 2)
    assert.equal(await ask(email), 2, 'it was the mail of the day')
    // The button that ends the pause works all the same.
    assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
    assert.equal((await verify(service, (await signInMail(service, email)).link)).status, 200)
  })

  test('another not-me does not delay the mail of the day', async () => {
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

describe('the mail of the day is used up only by a mail that is useful', () => {
  test('not by one that the server refuses, temporarily or permanently: the next one goes out', async (t) => {
    let refusal: number | undefined
    const mailing = await startMailing({
      onRcptTo: (_address, _session, done) =>
        done(refusal === undefined ? null : Object.assign(new Error('no'), { responseCode: refusal })),
    })
    t.after(() => mailing.close())
    const { db, clock, queue, smtp } = mailing
    const email = 'ana@example.com'
    await db.transaction((trx) => insertPause(trx, email, clock.now()))
    queue.start()
    refusal = 450
    await mailing.enqueue({ email })
    queue.wake()
    await until(async () => {
      const [row] = await mailing.waiting()
      return row?.attempts === 1 && row.leased_until_ms === null
    })
    assert.equal((await databaseContent(db)).pauses[0]?.mailed_at_ms, null)

    refusal = 550
    clock.advance(2000)
    queue.wake()
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal((await databaseContent(db)).pauses[0]?.mailed_at_ms, null)

    refusal = undefined
    await mailing.enqueue({ email })
    queue.wake()
    assert.ok(buttonIn(await smtp.mailTo(email), 'resume-mail'))
    await until(async () => (await mailing.waiting()).length === 0)
    assert.equal((await databaseContent(db)).pauses[0]?.mailed_at_ms, clock.now())
  })

  test('not by one that was being sent, without the button, when the pause began', async (t) => {
    let release = () => {}
    let isHeld = false
    const slow = await startSmtp({
      beforeAnswer: async () => {
        if (isHeld) return
        isHeld = true
        await new Promise<void>((resolve) => (release = resolve))
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
    // The mail is in the mailbox, and its button can be pressed, before the server has accepted it.
    assert.equal((await press(held, 'not-me', buttonIn(onItsWay, 'not-me'))).status, 200)
    assertError(await verify(held, tokenIn(onItsWay)), 'LINK_INVALID')
    release()
    await until(() => held.logLines.some((line) => line.includes('"mail sent"')))
    await held.call('POST /auth/request', { body: { email } })
    const ofTheDay = await slow.mailTo(email)
    assert.ok(buttonIn(ofTheDay, 'resume-mail'))
    assert.equal((await verify(held, tokenIn(ofTheDay))).status, 200)
  })
})
