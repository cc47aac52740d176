import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newKeySecret } from '../../../src/domain/keys/key-secret.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { countMailsTo } from '../../support/mail/buttons.ts'
import { withFailingWrite } from '../../support/database/faults.ts'
import { createKey, exchange, exchangesOf, listed, rotateKey, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'

const ROUTE = 'POST /auth/api-keys/leaked'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const report = (...secrets: object[]) => service.call(ROUTE, { body: { secrets } })

const leaksOf = (apiKeyId: string) =>
  service.db.query
    .selectFrom('security_events')
    .selectAll()
    .where('type', '=', 'key_leaked')
    .where('api_key_id', '=', apiKeyId)
    .execute()

test('a report revokes the key and its tokens at once, notifies the owner, and records where the secret was seen', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token, { name: 'Billing' })
  const other = await createKey(service, token)
  const tokens = [await tokenOf(service, key), await tokenOf(service, other), token]
  await service.smtp.mailTo('ana@example.com', 5000, 'Billing')
  service.clock.advance(1000)
  const answer = await report({ keySecret: key.keySecret, seenAt: 'https://paste.example/1' })
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{"ok":true}')
  assertUncacheable(answer)
  assert.deepEqual(await statesOf(service, tokens), ['UNAUTHORIZED', 'ana@example.com', 'ana@example.com'])
  assert.deepEqual(await exchangesOf(service, [key, other]), ['INVALID_CREDENTIALS', 'works'])
  const { status, revokedAt } = await listed(service, token, key.apiKey.id)
  assert.deepEqual([status, revokedAt], ['REVOKED', new Date(service.clock.now()).toISOString()])

  const [event, ...more] = await leaksOf(key.apiKey.id)
  assert.deepEqual(more, [])
  assert.equal(event?.detail, 'https://paste.example/1')
  assert.deepEqual([event.at_ms, event.client, event.by_api_key_id], [service.clock.now(), '127.0.0.1', null])
  const mail = await service.smtp.mailTo('ana@example.com', 5000, 'found in public')
  assert.ok(mail.message.text?.includes(key.apiKey.keyId))
  assert.ok(!mail.raw.includes('paste.example'), 'the mail contains no text of the reporter')
  assert.ok(!mail.message.text?.includes(key.keySecret))
})

test('correct, wrong, unknown, revoked, expired and misspelled secrets get byte-identical responses', async () => {
  const token = await service.signIn('bob@example.com')
  const live = await createKey(service, token)
  const revoked = await createKey(service, token)
  const expired = await createKey(service, token, { expiresInDays: 1 })
  const first = await createKey(service, token)
  const inGrace = await createKey(service, token)
  await rotateKey(service, token, first)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  service.clock.advance(86_400_000)
  await rotateKey(service, token, inGrace, 60)
  const secrets = [live, revoked, expired, first, inGrace].map(({ keySecret }) => keySecret)
  const noSecrets = ['', ' ', 'pls_', live.apiKey.keyId, token, 'x'.repeat(10_000), '💸', `${live.keySecret} `]
  const unknown = [newKeySecret(systemRandom), misspelled(live.keySecret), live.keySecret.toLowerCase()]
  const prints = new Set<string>()
  for (const keySecret of [...unknown, ...noSecrets, ...secrets]) {
    prints.add(fingerprintOf(await report({ keySecret })))
  }
  prints.add(fingerprintOf(await report({ keySecret: live.keySecret, seenAt: 'here' }, { keySecret: 'no' })))
  assert.equal(prints.size, 1, [...prints].join('\n'))
})

test('wrong, unknown and already revoked secrets change nothing and cause no mail', async () => {
  const token = await service.signIn('cia@example.com')
  const key = await createKey(service, token)
  const revoked = await createKey(service, token)
  const old = await createKey(service, token)
  await rotateKey(service, token, old)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  const secrets = [misspelled(key.keySecret), newKeySecret(systemRandom), revoked.keySecret, old.keySecret]
  await assertNothingHappens(service, () => report(...secrets.map((keySecret) => ({ keySecret }))))
  assert.equal((await exchange(service, key)).status, 200)
})

test('an expired key is revoked too, so that no change of the clock revives it', async () => {
  const token = await service.signIn('dan@example.com')
  const key = await createKey(service, token, { expiresInDays: 1 })
  service.clock.advance(86_400_000)
  await report({ keySecret: key.keySecret })
  assert.equal((await listed(service, token, key.apiKey.id)).status, 'REVOKED')
  assert.equal((await leaksOf(key.apiKey.id)).length, 1)
})

test('the previous secret of a key counts during its grace period only', async () => {
  const token = await service.signIn('eva@example.com')
  const keys = [await createKey(service, token), await createKey(service, token)] as const
  for (const key of keys) await rotateKey(service, token, key, 60)
  service.clock.advance(59_999)
  await report({ keySecret: keys[0].keySecret, seenAt: 'a log' })
  service.clock.advance(1)
  await report({ keySecret: keys[1].keySecret })
  assert.equal((await listed(service, token, keys[0].apiKey.id)).status, 'REVOKED')
  assert.equal((await leaksOf(keys[0].apiKey.id))[0]?.detail, 'a log')
  assert.equal((await listed(service, token, keys[1].apiKey.id)).status, 'ACTIVE')
})

test('a quarantined key is revoked for good without a mail; an unproven address gets no mail either', async () => {
  const waiting = await service.signUp('fay@example.com')
  const token = await service.signIn('fay@example.com')
  const unclaimed = await service.signUp('gil@example.com')
  await report({ keySecret: waiting.keySecret }, { keySecret: unclaimed.keySecret })
  const kept = await service.call(`POST /auth/api-keys/${waiting.apiKey.id}/keep`, { token })
  assert.equal(kept.body.apiKey.status, 'REVOKED')
  assert.deepEqual(await statesOf(service, [unclaimed.token]), ['UNAUTHORIZED'])
  assert.equal((await leaksOf(waiting.apiKey.id)).length, 1, 'the report is among the owner’s events')
  assert.equal(await countMailsTo(service, 'fay@example.com'), 2, 'the notice of the signup, and the sign-in link')
  assert.equal(await countMailsTo(service, 'gil@example.com'), 1, 'the notice of the signup')
})

test('one report revokes keys of several accounts, and each owner gets one mail about their own keys', async () => {
  const [hal, ida] = [await service.signIn('hal@example.com'), await service.signIn('ida@example.com')]
  const mine = [await createKey(service, hal, { name: 'One' }), await createKey(service, hal, { name: 'Two' })]
  const other = await createKey(service, ida, { name: 'Three' })
  await countMailsTo(service, 'hal@example.com')
  service.clock.advance(1000)
  const noise = Array.from({ length: 97 }, () => ({ keySecret: newKeySecret(systemRandom) }))
  const found = [...mine, other].map(({ keySecret }) => ({ keySecret }))
  const earlier = await countMailsTo(service, 'hal@example.com')
  assert.equal((await report(...noise, ...found)).status, 200)
  assert.deepEqual(await exchangesOf(service, [...mine, other]), Array(3).fill('INVALID_CREDENTIALS'))
  const mail = await service.smtp.mailTo('hal@example.com', 5000, 'found in public')
  for (const name of ['One', 'Two']) assert.ok(mail.message.text?.includes(name))
  assert.ok(!mail.message.text?.includes('Three'))
  await service.smtp.mailTo('ida@example.com', 5000, 'found in public')
  assert.equal(await countMailsTo(service, 'hal@example.com'), earlier + 1)
})

test('reporting one secret repeatedly, in one report or concurrently, records one event', async () => {
  const token = await service.signIn('jim@example.com')
  const keys = [await createKey(service, token), await createKey(service, token)] as const
  const { keySecret } = keys[0]
  await report({ keySecret, seenAt: 'first' }, { keySecret })
  const events = await leaksOf(keys[0].apiKey.id)
  assert.deepEqual(
    events.map(({ detail }) => detail),
    ['first'],
    'the first seenAt is kept',
  )
  await runInLockstep(service, 5, () => report({ keySecret: keys[1].keySecret }))
  assert.equal((await leaksOf(keys[1].apiKey.id)).length, 1)
})

test('malformed secrets cost no read: they are accepted while the keys are unreadable', async () => {
  const key = await createKey(service, await service.signIn('kim@example.com'))
  await countMailsTo(service, 'kim@example.com')
  const wrong = [misspelled(key.keySecret), key.keySecret.slice(0, -1), 'pls_x', ''].map((keySecret) => ({ keySecret }))
  await service.db.kysely.schema.alterTable('api_keys').renameTo('hidden').execute()
  try {
    assert.equal((await report(...wrong)).text, '{"ok":true}')
    assertError(await report({ keySecret: newKeySecret(systemRandom) }), 'INTERNAL')
  } finally {
    await service.db.kysely.schema.alterTable('hidden').renameTo('api_keys').execute()
  }
})

test('a report has 1 to 100 secrets, each with an optional printable seenAt of 1 to 500 characters, and no other field', async () => {
  const keySecret = newKeySecret(systemRandom)
  const leaks = (count: number) => Array.from({ length: count }, () => ({ keySecret }))
  const printable = ['x', 'a'.repeat(500), '💸'.repeat(500), 'înainte de ۱۴ 漢字 <b>"&\'', 'שלום', '\u200f x', ' . ']
  for (const seenAt of printable) assert.equal((await report({ keySecret, seenAt })).status, 200, seenAt)
  assert.equal((await report(...leaks(100))).status, 200)
  await assertNothingHappens(service, async () => {
    const refused = ['', 'a'.repeat(501), ' ', 'a\nb', '\0', '\u2028', 'x\u202ey', '\u2066x', '\ud800', 1, []]
    for (const seenAt of refused) assertError(await report({ keySecret, seenAt }), 'VALIDATION_FAILED')
    const bodies = [{}, { secrets: [] }, { secrets: leaks(101) }, { secrets: {} }, { secrets: [keySecret] }]
    const more = [{ secrets: [{}] }, { secrets: [{ keySecret: 1 }] }, { secrets: [{ keySecret, keyId: 'x' }] }]
    for (const body of [...bodies, ...more, { secrets: leaks(1), more: 1 }, { keySecret }]) {
      assertError(await service.call(ROUTE, { body }), 'VALIDATION_FAILED')
    }
    assertError(await service.call(ROUTE), 'VALIDATION_FAILED')
  })
})

test('seenAt is stored unchanged', async () => {
  const token = await service.signIn('lea@example.com')
  const key = await createKey(service, token)
  const seenAt = `<img src=x onerror=alert(1)> '; drop table users;-- ${'💸'.repeat(400)}`
  await report({ keySecret: key.keySecret, seenAt })
  const { body } = await service.call('GET /auth/events?limit=1', { token })
  assert.equal(body.events[0].detail, seenAt)
})

test('a report that cannot be stored is not a 200 and changes nothing, and a retry works', async () => {
  const key = await createKey(service, await service.signIn('mia@example.com'))
  await countMailsTo(service, 'mia@example.com')
  const earlier = await databaseContent(service.db)
  for (let n = 1; ; n += 1) {
    const answer = await withFailingWrite(service.db, n, () => report({ keySecret: key.keySecret }))
    if (answer.status === 200) {
      assert.ok(n > 3, 'the lock, the key, the event and the mail can each fail')
      break
    }
    assertError(answer, 'INTERNAL')
    assert.deepEqual(await databaseContent(service.db), earlier)
  }
  assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
})

/** Changes the last character of the secret. */
function misspelled(keySecret: string): string {
  return keySecret.slice(0, -1) + (keySecret.endsWith('0') ? '1' : '0')
}
