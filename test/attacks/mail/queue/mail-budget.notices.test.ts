import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '../../../support/accounts/keys.ts'
import { ask, withoutNetworkLimits, network, settle } from '../../../support/mail/mail-flood.ts'
import { startService } from '../../../support/service.ts'

test('notices about keys that a thief creates for two hours arrive at most four at once and then one in 15 minutes, and name every key', async (t) => {
  const service = await startService(withoutNetworkLimits)
  t.after(() => service.close())
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  await settle(service)
  const keyIds: string[] = []
  const notices = () => service.smtp.mails.filter(({ message }) => message.subject === 'Your API keys')
  for (let n = 0; n < 24; n += 1) {
    for (let more = 0; more < 5; more += 1)
      await ask(service, more % 2 ? `ana+${n}${more}@example.com` : email, network(5 * n + more))
    const { apiKey } = await createKey(service, token)
    keyIds.push(apiKey.keyId)
    await settle(service)
    if (n === 0) assert.equal(notices().length, 1, 'the first is sent at once despite the flood')
    service.clock.advance(5 * 60_000)
  }
  assert.ok(notices().length <= 4 + 8, `${notices().length}`)
  service.clock.advance(15 * 60_000)
  await settle(service)
  const told = notices()
    .map(({ message }) => message.text)
    .join('\n')
  for (const keyId of keyIds) assert.ok(told.includes(keyId), `${keyId} is in no notice`)
})
