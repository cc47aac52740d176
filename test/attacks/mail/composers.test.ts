/** No text of a stranger reaches an owner by mail. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MailKind } from '../../../src/database/tables/mail-tables.ts'
import { countMailsTo, pauseMail, press, signInMail } from '../../support/mail/buttons.ts'
import { createKey, keepKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { recipientsOf } from '../../support/database/state.ts'

/** The stranger's text, sent in every field that takes free text. */
const WORDS = 'Pay your debt today'
const EMAIL = 'ana@example.com'

const signUp = (service: Service, email = EMAIL) =>
  service.call('POST /auth/api/signup', { body: { email, name: `${WORDS} name`, keyName: `${WORDS} key` } })
const report = (service: Service, ...keys: readonly { keySecret: string }[]) =>
  service.call('POST /auth/api-keys/leaked', {
    body: { secrets: keys.map(({ keySecret }) => ({ keySecret, seenAt: `${WORDS} seen` })) },
  })
const manyKeys = async (service: Service, token: string, count = 20) => {
  const keys = []
  for (let n = 0; n < count; n += 1) keys.push(await createKey(service, token, { name: `${WORDS} ${n}` }))
  return keys
}

/** Everything that a stranger can do to an unproven address. */
async function squat(service: Service) {
  const { body } = await signUp(service)
  await service.call('PATCH /users/me', { token: body.token, body: { name: `${WORDS} again` } })
  return [body, ...(await manyKeys(service, body.token))]
}

async function assertSilent(service: Service): Promise<void> {
  await recipientsOf(service)
  for (const { raw, message } of service.smtp.mails) {
    assert.ok(
      !`${raw} ${message.subject} ${message.text} ${message.html}`.includes('Pay your debt'),
      `${message.subject}: ${message.text}`,
    )
  }
}

const cases: Record<string, { kinds: readonly MailKind[]; act: (service: Service) => Promise<number> }> = {
  'signup, keys and leak reports of an unclaimed account send one mail': {
    kinds: ['signup_notice'],
    async act(service) {
      await report(service, ...(await squat(service)))
      return 1
    },
  },
  'leak reports of a paused unclaimed account send none': {
    kinds: ['signup_notice', 'sign_in'],
    async act(service) {
      const keys = await squat(service)
      await pauseMail(service, EMAIL)
      for (const key of keys) await report(service, key)
      return 2
    },
  },
  'leak reports of keys that await the owner send none, one by one or together': {
    kinds: ['signup_notice', 'sign_in'],
    async act(service) {
      const keys = await squat(service)
      await service.signIn(EMAIL)
      for (const key of keys.slice(0, 10)) await report(service, key)
      await report(service, ...keys.slice(10))
      return 2
    },
  },
  'leak reports of such keys send none after a not-me either': {
    kinds: ['signup_notice', 'sign_in'],
    async act(service) {
      const keys = await squat(service)
      await service.signIn(EMAIL)
      const { notMe } = await signInMail(service, EMAIL)
      assert.equal((await press(service, 'not-me', notMe)).status, 200)
      for (const key of keys) await report(service, key)
      return 3
    },
  },
  'a notice about other keys leaves out keys that await the owner': {
    kinds: ['signup_notice', 'sign_in', 'security_notice'],
    async act(service) {
      const [first, ...keys] = await squat(service)
      const token = await service.signIn(EMAIL)
      await recipientsOf(service)
      service.clock.advance(1000)
      const own = await createKey(service, token, { name: 'Mine' })
      await report(service, first, own, ...keys)
      await recipientsOf(service)
      const notices = service.smtp.mails.filter(({ message }) => message.subject === 'Your API keys')
      const told = notices.map(({ message }) => message.text).join()
      assert.ok(told.includes(own.apiKey.keyId), 'the owner is told about their own key')
      for (const { apiKey } of [first, ...keys]) assert.ok(!told.includes(apiKey.keyId))
      return 2 + notices.length
    },
  },
}

describe('a stranger’s words are not mailed:', () => {
  for (const [what, { kinds, act }] of Object.entries(cases)) {
    test(what, async (t) => {
      const service = await startService()
      t.after(() => service.close())
      const mails = await act(service)
      await assertSilent(service)
      assert.equal(await countMailsTo(service, EMAIL), mails)
      const buttons = await service.db.query.selectFrom('mail_buttons').select('mail_kind').distinct().execute()
      assert.deepEqual(
        buttons.map((button) => button.mail_kind).toSorted(),
        kinds.toSorted(),
        'the kinds of mail that were sent',
      )
    })
  }

  test('a queued notice leaves out the name of a key that not-me made await the owner', async (t) => {
    const service = await startService()
    t.after(() => service.close())
    const token = await service.signIn(EMAIL)
    const key = await createKey(service, token, { name: 'Mine' })
    await recipientsOf(service)
    await service.db.query
      .updateTable('api_keys')
      .set({ name: WORDS, awaits_owner_at_ms: 1 })
      .where('id', '=', key.apiKey.id)
      .execute()
    service.clock.advance(1)
    await createKey(service, token, { name: 'Other' })
    await assertSilent(service)
  })

  test('a notice names a key again once the owner keeps it', async (t) => {
    const service = await startService()
    t.after(() => service.close())
    const { body } = await service.call('POST /auth/api/signup', { body: { email: EMAIL, keyName: 'Billing' } })
    const token = await service.signIn(EMAIL)
    await keepKey(service, token, body)
    await report(service, body)
    const mail = await service.smtp.mailTo(EMAIL, undefined, 'found in public')
    assert.ok(mail.message.text?.includes('Billing'))
  })
})
