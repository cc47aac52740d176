import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { domainToASCII } from 'node:url'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { verify } from '../../../support/mail/links.ts'
import { tokenIn } from '../../../support/mail/mailing.ts'
import { sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../../support/database/state.ts'

const ROUTE = 'POST /auth/request'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = (email: unknown) => service.call(ROUTE, { body: { email } })

test('request and signup refuse an address with several at signs of any kind [GHSA-c5c4-8r6x-56w3]', async () => {
  await assertNothingHappens(service, async () => {
    for (const at of ['@', '\uff20', '\ufe6b', '\\@', '@@']) {
      for (const email of [`a@evil.example${at}victim.example`, `a${at}evil.example@victim.example`]) {
        for (const route of [ROUTE, 'POST /auth/api/signup']) {
          assertError(await service.call(route, { body: { email } }), 'VALIDATION_FAILED')
        }
      }
    }
  })
})

test('an address that Unicode folds into a stored one is refused or mailed in its stored form, never as written [CVE-2019-19844]', async () => {
  await service.signIn('mike@example.com')
  await service.signIn('kim@example.com')
  await service.signIn('strasse@example.com')
  const accounts = (await databaseContent(service.db)).users.length

  await assertNothingHappens(service, async () => {
    for (const email of [
      'm\u0131ke@example.com',
      'M\u0130KE@example.com',
      'stra\u00dfe@example.com',
      'stra\u1e9ee@example.com',
      'mi\u200bke@example.com',
      'm\u0456ke@example.com',
    ]) {
      assertError(await ask(email), 'VALIDATION_FAILED')
      assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'VALIDATION_FAILED')
    }
  })
  // The Kelvin sign and fullwidth letters are ASCII letters after NFKC: one account, one mailbox.
  for (const email of ['\u212aim@example.com', 'ｋｉｍ@example.com', 'KIM@ｅxample.com']) {
    assert.equal((await ask(email)).status, 200)
    const mail = await service.smtp.mailTo('kim@example.com')
    assert.deepEqual(mail.to, ['kim@example.com'])
    assert.doesNotMatch(mail.raw, /\u212a|ｋ|ｅ/)
    assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')
  }
  // A look-alike domain is another domain with its own account.
  const alike = `mike@${domainToASCII('ex\u0430mple.com')}`
  assert.equal((await ask('mike@ex\u0430mple.com')).status, 200)
  // The test's mail server decodes the recipient's domain; the header is as the service wrote it.
  const mail = await service.smtp.mailTo('mike@ex\u0430mple.com')
  assert.match(mail.raw, new RegExp(`^To: ${alike}\r?$`, 'm'))
  const other = await verify(service, tokenIn(mail))
  const mike = await userOf(service.db, 'mike@example.com')
  const me = await service.call('GET /users/me', { token: other.body.token })
  assert.equal(me.body.user.email, alike)
  assert.notEqual(me.body.user.id, mike.id)
  assert.equal((await databaseContent(service.db)).users.length, accounts + 1)
})

test('several addresses in any form of body send no mail, or one mail to one of them [CVE-2023-7028]', async () => {
  const victim = 'victim@example.com'
  const evil = 'eve@evil.example'
  await assertNothingHappens(service, async () => {
    for (const route of [ROUTE, 'POST /auth/api/signup']) {
      for (const email of [[victim, evil], [[victim]], { 0: victim, 1: evil }, { email: victim }, [victim]]) {
        assertError(
          await service.call(route, { body: { email } }),
          'VALIDATION_FAILED',
          /^`email` must be a string, not /,
        )
      }
      for (const body of [
        { 'email[]': victim },
        { 'email[0]': victim, email: evil },
        { email: evil, cc: victim },
        { email: evil, emails: [victim] },
      ]) {
        assertError(await service.call(route, { body }), 'VALIDATION_FAILED')
      }
      // The content type is checked before the body is read: 415, not 400.
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const form = await service.call(route, { body: `email[]=${victim}&email[]=${evil}`, headers })
      assertError(form, 'UNSUPPORTED_MEDIA_TYPE')
      const query = await service.call(`${route}?email=${victim}`, { body: {} })
      assertError(query, 'VALIDATION_FAILED', '`email` is required.')
    }
  })
  const twice = await service.call(ROUTE, { body: `{"email":"${victim}","email":"last@example.com"}` })
  assert.equal(twice.status, 200)
  await service.smtp.mailTo('last@example.com')
  const recipients = await recipientsOf(service)
  assert.ok(!recipients.includes(victim) && !recipients.includes(evil), recipients.join())
})

test('10^4 nested groups get a 400, and the service keeps running [CVE-2025-14874]', async () => {
  const groups = Array.from({ length: 10_000 }, (_, depth) => `g${depth}:`).join('')
  await assertNothingHappens(service, async () => {
    for (const email of [
      groups,
      `${groups}a@example.com${';'.repeat(4)}`,
      `${'('.repeat(10_000)}a@example.com`,
      '"'.repeat(20_000),
    ]) {
      assertError(
        await ask(email),
        'VALIDATION_FAILED',
        /^`email` must be one plain e-mail address: [^@]+( @[^@]*)?\.$/,
      )
    }
  })
  assert.equal((await service.call('GET /auth/config')).status, 200)
})

test('an address with any control character is refused and causes no mail [GHSA-c7w3-x93f-qmm8]', async () => {
  await assertNothingHappens(service, async () => {
    for (const sign of ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085', '\v', '\t']) {
      for (const email of [
        `ana${sign}@example.com`,
        `ana@example.com${sign}RCPT TO:<eve@evil.example>`,
        `${sign}ana@example.com`,
        `ana@exa${sign}mple.com`,
      ]) {
        assertError(
          await ask(email),
          'VALIDATION_FAILED',
          /^`email` must be one plain e-mail address: [^@]+( @[^@]*)?\.$/,
        )
      }
    }
  })
})

test('no request header becomes part of a mail [GHSA-c7w3-x93f-qmm8]', async () => {
  const planted = [
    'Accept-Language: ro\u0085Bcc: eve@evil.example',
    'User-Agent: evil',
    'X-Request-Id: evil-1',
    'From: eve@evil.example',
  ]
  const head = ['POST /api/v1/auth/request HTTP/1.1', ...planted, 'Content-Type: application/json']
  const answer = await sendRaw(service.origin, head, JSON.stringify({ email: 'plain@example.com' }))
  assert.equal(answer.status, 200, answer.text)
  const mail = await service.smtp.mailTo('plain@example.com')
  assert.doesNotMatch(mail.raw, /evil/)
  assert.deepEqual(mail.to, ['plain@example.com'])
})

test('the response time does not reveal whether an address has an account [M11]', async (t) => {
  const quiet = await startService()
  t.after(() => quiet.close())
  await quiet.signIn('known@example.com')
  const timed = async (email: string) => {
    const start = performance.now()
    assert.equal((await quiet.call(ROUTE, { body: { email } })).status, 200)
    return performance.now() - start
  }
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
  // Load on the machine blurs single rounds; a real difference shows in every round.
  let smallest = Infinity
  for (let round = 0; round < 60 && smallest > 0.15; round++) {
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 0; n < 40; n++) {
      // Alternates the order of each pair, because the mail of the first call is sent during the second.
      if (n % 2 === 0) known.push(await timed('known@example.com'))
      unknown.push(await timed('unknown@example.com'))
      if (n % 2 === 1) known.push(await timed('known@example.com'))
    }
    const [one, other] = [median(known), median(unknown)]
    smallest = Math.min(smallest, Math.abs(one - other) / Math.max(one, other))
  }
  assert.ok(smallest <= 0.15, `always ${Math.round(smallest * 100)} % or more apart`)
})

// No global limit on mail: reaching it would lock out every owner. The queue holds one mail of a kind per address.
test('1200 requests for 60 addresses are limited per network and per address, and the queue holds one mail for each address [F24]', async (t) => {
  const limited = await startService(productionLimits)
  t.after(() => limited.close())
  await limited.smtp.close()
  const networks = Array.from({ length: 20 }, (_, n) => (n % 2 ? `192.0.2.${n}` : `2001:db8:0:${n}`))
  const taken = new Map<string, number>()
  for (const network of networks) {
    const asked = Array.from({ length: 60 }, async (_, n) => {
      // An attacker's IPv6 network has any number of addresses.
      const client = network.includes(':') ? `${network}:${n}::1` : network
      const email = `victim${n}@example.com`
      const answer = await limited.call(ROUTE, { body: { email }, headers: from(client) })
      if (answer.status === 200) taken.set(email, (taken.get(email) ?? 0) + 1)
      else assertError(answer, 'RATE_LIMITED')
      return answer.status === 200
    })
    const count = (await Promise.all(asked)).filter(Boolean).length
    assert.ok(count <= 30, `${count} from ${network}`)
  }
  assert.ok(taken.size >= 30)
  for (const [email, count] of taken) assert.ok(count <= 5, `${count} for ${email}`)
  const { mails } = await databaseContent(limited.db)
  assert.equal(mails.length, taken.size, 'one queued mail for each address')
  assert.equal((await databaseContent(limited.db)).users.length, 0)
})
