/** A not-me that races with the use of its link, the thief's writes or another press. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { buttonIn, eventsOf, pauseMail, press, signInMail } from '../../../support/mail/buttons.ts'
import { exchange, listKeys, statesOf } from '../../../support/accounts/keys.ts'
import { verify } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { databaseContent, userOf } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const notMe = (token: string) => press(service, 'not-me', token)

test('racing with its own link: the link is refused, or its sign-in is undone', async () => {
  for (let n = 0; n < 12; n++) {
    const email = `use-${n}@example.com`
    const mail = await signInMail(service, email)
    const calls = [() => notMe(mail.notMe), () => verify(service, mail.link)]
    // Alternates the order of arrival.
    if (n % 2 === 1) calls.reverse()
    const answers = await runInLockstep(service, 2, (index) => calls[index]?.() as Promise<Answer>)
    if (n % 2 === 1) answers.reverse()
    const [pressed, used] = answers as [Answer, Answer]
    assert.equal(pressed.status, 200)
    if (used.status === 200) {
      assert.deepEqual(await statesOf(service, [used.body.token]), ['UNAUTHORIZED'])
    } else {
      assertError(used, 'LINK_INVALID')
      const { users } = await databaseContent(service.db)
      assert.equal(
        users.some((user) => user.email === email),
        false,
      )
    }
  }
})

test('racing with keys that the thief creates: they are refused, or await the owner', async () => {
  for (let n = 0; n < 6; n++) {
    const email = `key-${n}@example.com`
    const mail = await signInMail(service, email)
    const { token } = (await verify(service, mail.link)).body
    const makeKey = () => service.call('POST /auth/api-keys', { token, body: {} })
    const calls = [() => notMe(mail.notMe), makeKey, makeKey]
    if (n % 2 === 1) calls.reverse()
    const answers = await runInLockstep(service, 3, (index) => calls[index]?.() as Promise<Answer>)
    for (const answer of answers) {
      if (answer.status === 201) assertError(await exchange(service, answer.body), 'KEY_AWAITS_OWNER')
      else if (answer.status !== 200) assertError(answer, 'UNAUTHORIZED')
    }
    assertError(await makeKey(), 'UNAUTHORIZED')
    const owner = await verify(service, (await signInMail(service, email)).link)
    const keys = await listKeys(service, owner.body.token)
    assert.equal(keys.length, answers.filter(({ status }) => status === 201).length)
    for (const key of keys) assert.equal(key.status, 'AWAITS_OWNER')
  }
})

test('of 50 concurrent presses one acts: one event, one increment of the token version, one pause', async () => {
  const email = 'many@example.com'
  const mail = await signInMail(service, email)
  await verify(service, mail.link)
  const answers = await runInLockstep(service, 50, () => notMe(mail.notMe))
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, '{"ok":true}'])
  assert.equal((await userOf(service.db, email)).token_version, 1)
  assert.equal((await eventsOf(service, email)).filter(({ type }) => type === 'not_me').length, 1)
  const { pauses } = await databaseContent(service.db)
  assert.equal(pauses.filter((pause) => pause.email === email).length, 1)
})

test('the buttons of two mails pressed at once both act', async () => {
  const email = 'two@example.com'
  const used = await signInMail(service, email)
  const { token } = (await verify(service, used.link)).body
  const unused = await signInMail(service, email)
  const buttons = [unused.notMe, used.notMe]
  const answers = await runInLockstep(service, 2, (index) => notMe(buttons[index] ?? ''))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assertError(await verify(service, unused.link), 'LINK_INVALID')
  assert.deepEqual(await statesOf(service, [token]), ['UNAUTHORIZED'])
  assert.equal((await eventsOf(service, email)).filter(({ type }) => type === 'not_me').length, 2)
})

test('of 20 concurrent presses of resume-mail one acts, and the pause does not return', async () => {
  const email = 'resume@example.com'
  await service.signIn(email)
  await pauseMail(service, email)
  const { mail } = await signInMail(service, email)
  const resume = buttonIn(mail, 'resume-mail')
  const answers = await runInLockstep(service, 20, () => press(service, 'resume-mail', resume))
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, '{"ok":true}'])
  assert.equal((await eventsOf(service, email)).filter(({ type }) => type === 'mail_resumed').length, 1)
  const { pauses } = await databaseContent(service.db)
  assert.equal(
    pauses.some((pause) => pause.email === email),
    false,
  )
})
