import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordEvent } from '../../../src/domain/events/security-events.ts'
import { queueNotice } from '../../../src/domain/mails/notices.ts'
import { buttonIn, countMailsTo } from '../../support/mail/buttons.ts'
import { createKey, rotateKey, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { flowingText, linkIn } from '../../support/mail/smtp.ts'
import { userOf } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const minute = (language: string) =>
  new Date(service.clock.now()).toLocaleString(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

test('a new key is reported with its name, keyId, time and network, and never its secret', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token, { name: 'Billing server' })
  const mail = await service.smtp.mailTo('ana@example.com', 5000, 'was created')
  const { message, raw, to } = mail
  assert.deepEqual(to, ['ana@example.com'])
  assert.equal(message.subject, 'Your API keys')
  const line = `On ${minute('en-GB')} UTC the API key “\u2068Billing server\u2069” (${key.apiKey.keyId}) was created from network 127.0.0.0/24.`
  for (const part of [flowingText(mail), message.html]) assert.ok(part?.includes(line), String(part))
  assert.equal(linkIn(mail).href, service.deps.config.appUrl.href)
  assert.match(buttonIn(mail, 'not-me'), /^[\w-]{43}$/)
  assert.ok(!raw.includes(key.keySecret) && !message.text?.includes(key.keySecret))
})

test('a new secret is reported, even if the key’s own token made it', async () => {
  const token = await service.signIn('bob@example.com')
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  await countMailsTo(service, 'bob@example.com')
  service.clock.advance(1000)
  const { keySecret } = await rotateKey(service, ofKey, key)
  const text = flowingText(await service.smtp.mailTo('bob@example.com', 5000, 'new secret,'))
  assert.ok(text.includes(`(${key.apiKey.keyId}) got a new secret, from network 127.0.0.0/24.`))
  assert.ok(!text.includes('was created'), 'an earlier mail’s event is not repeated')
  assert.ok(!text.includes(keySecret))
})

test('a key that may do more is reported, and one that may do less is not', async () => {
  const email = 'eli@example.com'
  const token = await service.signIn(email)
  const [agent, other] = [await createKey(service, token, { name: 'Agent' }), await createKey(service, token)]
  await countMailsTo(service, email)
  service.clock.advance(1000)
  const narrow = { restrictions: { scopes: ['keys:read'] } }
  await updateKey(service, token, agent, narrow)
  await updateKey(service, token, other, narrow)
  await updateKey(service, token, agent, { restrictions: null })
  const text = flowingText(await service.smtp.mailTo(email, 5000, 'do more'))
  const line = `On ${minute('en-GB')} UTC the API key “\u2068Agent\u2069” (${agent.apiKey.keyId}) was allowed to do more than before, from network 127.0.0.0/24.`
  assert.ok(text.includes(line), text)
  assert.ok(!text.includes(other.apiKey.keyId) && !text.includes('keys:read'), text)
  assert.equal(text.split(agent.apiKey.keyId).length, 2, 'once')
})

test('an owner who signs in in Romanian gets the notice in Romanian', async () => {
  const email = 'cia@example.com'
  const headers = { 'accept-language': 'ro' }
  const { body } = await verify(service, await mailedToken(service, email), { headers })
  const key = await createKey(service, body.token, { name: 'Facturi' })
  const mail = await service.smtp.mailTo(email, 5000, 'Facturi')
  const { message } = mail
  assert.equal(message.subject, 'Cheile tale API')
  const line = `Pe ${minute('ro')} UTC a fost creată cheia API „\u2068Facturi\u2069” (${key.apiKey.keyId}), din rețeaua 127.0.0.0/24.`
  assert.ok(flowingText(mail).includes(line), String(message.text))
  assert.ok(message.html?.includes('lang="ro"'))
  service.clock.advance(1000)
  await rotateKey(service, body.token, key)
  await service.smtp.mailTo(email, 5000, 'secret nou')
})

test('a waiting notice reports since its oldest event and is retried as long as its newest', async () => {
  const email = 'outage@example.com'
  await service.signIn(email)
  const user = await userOf(service.db, email)
  const { deps, clock, db } = service
  const queued = () => db.query.selectFrom('queued_mails').selectAll().where('email', '=', email).executeTakeFirst()
  const firstMs = clock.now()
  await db.transaction((trx) => queueNotice(deps, trx, 'security_notice', user, firstMs))
  clock.advance(59 * 60_000)
  const row = await db.transaction(async (trx) => {
    await queueNotice(deps, trx, 'security_notice', user, firstMs)
    await queueNotice(deps, trx, 'security_notice', user, clock.now())
    return trx.query.selectFrom('queued_mails').selectAll().where('email', '=', email).executeTakeFirst()
  })
  assert.equal(row?.tells_since_ms, firstMs)
  assert.equal(row?.created_at_ms, clock.now())
  // There is nothing to report: the mail is dropped.
  deps.mailer.wake()
  while (await queued()) await new Promise((resolve) => setTimeout(resolve, 5))
})

test('an unproven address gets no notice of keys, whose names a stranger chose', async () => {
  const signup = await service.signUp('fay@example.com')
  const key = await createKey(service, signup.token, { name: 'You won: evil.example' })
  await rotateKey(service, signup.token, key)
  assert.equal(await countMailsTo(service, 'fay@example.com'), 1, 'the notice of the signup')
  assert.ok(!service.smtp.mails.some(({ raw, message }) => `${raw}${message.text}`.includes('You won')))
})

test('concurrent changes are one mail that reports each, in their order', async () => {
  const email = 'hal@example.com'
  const token = await service.signIn(email)
  const keys = [await createKey(service, token, { name: 'One' }), await createKey(service, token, { name: 'Two' })]
  const earlier = await countMailsTo(service, email)
  service.clock.advance(1000)
  const user = await userOf(service.db, email)
  const { deps, clock } = service
  const source = { ip: '203.0.113.9', browser: null, caller: null }
  await service.db.transaction(async (trx) => {
    for (const { apiKey } of [...keys, ...keys]) {
      await recordEvent(trx, deps, { userId: user.id, type: 'key_rotated', apiKeyId: apiKey.id }, source)
      await queueNotice(deps, trx, 'security_notice', user, clock.now())
    }
  })
  service.deps.mailer.wake()
  const { message } = await service.smtp.mailTo(email, 5000, 'new secret')
  const names = [...(message.html ?? '').matchAll(/<p[^>]*>[^<]*\u2068(\w+)\u2069[^<]*got a new secret/g)].map(
    ([, name]) => name,
  )
  assert.deepEqual(names, ['One', 'Two', 'One', 'Two'])
  assert.equal(await countMailsTo(service, email), earlier + 1)
})
