import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countMailsTo, eventsOf } from '../../../support/mail/buttons.ts'
import { withFailingWrite } from '../../../support/database/faults.ts'
import { createKey } from '../../../support/accounts/keys.ts'
import { flowingText } from '../../../support/mail/smtp.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { recipientsOf } from '../../../support/database/state.ts'
import { upkeepAtOnce } from '../../../support/process/upkeep-process.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a key whose creation fails causes no notice: the mail is queued in the same transaction', async () => {
  const token = await service.signIn('gil@example.com')
  const earlier = await countMailsTo(service, 'gil@example.com')
  let failures = 0
  while (failures < 20) {
    const create = () => service.call('POST /auth/api-keys', { token, body: { name: `Try ${failures}` } })
    if ((await withFailingWrite(service.db, failures + 1, create)).status === 201) break
    failures += 1
    assert.equal(await countMailsTo(service, 'gil@example.com'), earlier)
  }
  assert.ok(failures >= 3, 'the key, the event and the mail')
  const text = flowingText(await service.smtp.mailTo('gil@example.com', 5000, 'was created'))
  assert.ok(text.includes(`Try ${failures}`))
  assert.equal(text.match(/was created/g)?.length, 1)
})

test('of two concurrent processes on one database one sends the expiry notice of each key', async () => {
  const emails = ['hal@example.com', 'ida@example.com', 'jim@example.com']
  const keys = await Promise.all(
    emails.map(async (email) => createKey(service, await service.signIn(email), { expiresInDays: 30 })),
  )
  service.clock.advance(23 * 24 * 3_600_000)
  await upkeepAtOnce(service.databaseUrl, service.clock.now(), 2)
  service.deps.mailer.wake()
  await recipientsOf(service)
  const told = service.smtp.mails.map((mail) => `${mail.to.join()}: ${flowingText(mail)}`)
  for (const [index, email] of emails.entries()) {
    const line = `(${keys[index]?.apiKey.keyId}) stops working on`
    assert.equal(told.filter((mail) => mail.startsWith(email)).flatMap((mail) => mail.split(line).slice(1)).length, 1)
    const events = await eventsOf(service, email)
    assert.equal(events.filter(({ type }) => type === 'key_expiring').length, 1)
  }
})
