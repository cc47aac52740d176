import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { linkIn, startSmtp } from '../../support/mail/smtp.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../../support/database/state.ts'

const FRONTEND = 'https://app.example'
const ROUTE = 'POST /auth/request'
let service: Service

before(async () => {
  service = await startService({ APP_URL: `${FRONTEND}/start` })
})
after(() => service.close())

/** The URL that the link of the next mail to this address redirects a browser to. */
async function destinationOf(email: string): Promise<string | null> {
  const link = linkIn(await service.smtp.mailTo(email))
  const led = await service.call(`GET /auth/verify${link.search}`, { headers: { accept: 'text/html' } })
  const fragment = new URL(led.headers.get('location') ?? '').hash.slice(1)
  return new URLSearchParams(fragment).get('redirectTo')
}

/** Asserts that these bodies are refused with this message, and that nothing is stored or sent. */
async function assertRefused(bodies: readonly unknown[], message: RegExp | string) {
  await assertNothingHappens(service, async () => {
    for (const body of bodies) {
      assertError(await service.call(ROUTE, { body }), 'VALIDATION_FAILED', message)
    }
  })
}

test('requesting a link returns exactly { ok: true } and is not cached', async () => {
  const answer = await service.call(ROUTE, { body: { email: 'ana@example.com' } })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { ok: true })
  assertUncacheable(answer)
  await service.smtp.mailTo('ana@example.com')
})

test('known, unclaimed and unknown addresses get identical responses, and no account is created [M11]', async () => {
  await service.signIn('known@example.com')
  await service.signUp('unclaimed@example.com')
  const { users, apiKeys } = await databaseContent(service.db)

  const prints = new Set<string>()
  for (const email of ['known@example.com', 'unclaimed@example.com', 'unknown@example.com']) {
    prints.add(fingerprintOf(await service.call(ROUTE, { body: { email } })))
    await service.smtp.mailTo(email)
  }
  assert.equal(prints.size, 1, [...prints].join('\n'))
  const afterwards = await databaseContent(service.db)
  assert.deepEqual(afterwards.users, users)
  assert.deepEqual(afterwards.apiKeys, apiKeys)
})

test('the mail goes to the canonical address, whatever spelling was requested [M13]', async () => {
  const spellings = ['Bob0@EXAMPLE.com', 'bob1@ｅxample.com', 'ｂob2@example。com']
  for (const [index, spelling] of spellings.entries()) {
    await service.call(ROUTE, { body: { email: spelling } })
    const mail = await service.smtp.mailTo(`bob${index}@example.com`)
    assert.deepEqual(mail.to, [`bob${index}@example.com`])
    assert.deepEqual(mail.message.to, [{ address: `bob${index}@example.com`, name: '' }])
  }
})

test('anything but one plain address is refused with the name of the field [CVE-2022-35924, GHSA-7rqj-j65f-68wh, GHSA-mm7p-fcc7-pg87, M13]', async () => {
  const notOneAddress = [
    '',
    'a',
    'a@',
    '@example.com',
    'a@example',
    'a b@example.com',
    'a@evil.example,b@example.com',
    'a@evil.example;b@example.com',
    'a@evil.example b@example.com',
    'a@evil.example@example.com',
    '"a@evil.example x"@example.com',
    'Ana <a@example.com>',
    'a@[127.0.0.1]',
    'a@example.com\r\nBcc: b@evil.example',
    'a\u0000@example.com',
    'a@example.com\u2028',
    'a\uff20example.com',
    'a\ufe6bexample.com',
    '\ud800@example.com',
    'a@\udc00.com',
    'mıke@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${`${'b'.repeat(63)}.`.repeat(4)}com`,
    'g0:'.repeat(3000),
  ]
  const bodies = notOneAddress.map((email) => ({ email }))
  await assertRefused(bodies, /^`email` must be one plain e-mail address: [^@]+( @[^@]*)?\.$/)
})

test('wrong types, missing and unknown fields are refused with the name of the field [CVE-2023-7028, M13]', async () => {
  const email = 'a@example.com'
  const noStrings = [[email], [email, 'b@example.com'], { 0: email }, null, 1, true]
  const tooLong = `${FRONTEND}/${'a'.repeat(1024 - FRONTEND.length)}`
  const tooLongEncoded = `${FRONTEND}/${'ä'.repeat(200)}`
  await assertNothingHappens(service, () => assertOnlyObjects(service, ROUTE))
  await assertRefused([undefined, [[{ email }]]], /^The body must be a JSON object(, not an? [a-z]+)?\.$/)
  await assertRefused([{}], '`email` is required.')
  await assertRefused(
    noStrings.map((value) => ({ email: value })),
    /^`email` must be a string, not /,
  )
  await assertRefused([{ email, role: 'ADMIN' }], '`role` is not a known field.')
  await assertRefused([{ email, '<b>': 1 }], 'The body has an unknown field.')
  await assertRefused(
    noStrings.filter((value) => value !== null).map((redirectTo) => ({ email, redirectTo })),
    /^`redirectTo` must be a string, not /,
  )
  await assertRefused([{ email, redirectTo: tooLong }], /^`redirectTo` must have at most 1024 characters\.$/)
  await assertRefused([{ email, redirectTo: tooLongEncoded }], /^`redirectTo` must have at most 1024 characters when/)
})

test('a redirectTo outside the frontend’s origin is refused, and no mail is sent', async () => {
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/path',
    '',
    'http://app.example/',
    'https://app.example.evil.example',
    'https://app.example@evil.example',
    service.origin,
    'https://user@app.example/',
    'https://user:p@app.example/',
    'https://app.example:444/',
    'blob:https://app.example/x',
    'javascript:alert(1)//https://app.example',
  ]
  await assertNothingHappens(service, async () => {
    for (const redirectTo of elsewhere) {
      const body = { email: 'redirected@example.com', redirectTo }
      assertError(await service.call(ROUTE, { body }), 'REDIRECT_NOT_ALLOWED')
    }
  })
})

test('a redirectTo on the frontend is stored in its parsed form', async () => {
  const email = 'cia@example.com'
  const redirectTo = 'HTTPS://App.Example:443/a/../b?c=d#e'
  assert.equal((await service.call(ROUTE, { body: { email, redirectTo } })).status, 200)
  assert.equal(await destinationOf(email), `${FRONTEND}/b?c=d#e`)

  const longest = `${FRONTEND}/${'a'.repeat(1023 - FRONTEND.length)}`
  assert.equal((await service.call(ROUTE, { body: { email, redirectTo: longest } })).status, 200)
  assert.equal(await destinationOf(email), longest)
})

test('the mail is in Romanian or English, by Accept-Language', async () => {
  const subjects = { ro: 'Autentificare în Paylink', en: 'Sign in to Paylink' }
  const cases = [
    ['ro-RO,ro;q=0.9', 'ro'],
    ['de, ro;q=0.5', 'ro'],
    ['en, ro;q=0.1', 'en'],
    ['de', 'en'],
    ['\u00e9;q=x', 'en'],
  ] as const
  for (const [index, [language, expected]] of cases.entries()) {
    const email = `reader${index}@example.com`
    await service.call(ROUTE, { body: { email }, headers: { 'accept-language': language } })
    assert.equal((await service.smtp.mailTo(email)).message.subject, subjects[expected], language)
  }
})

test('no request header changes where the mailed link leads [GHSA-3529-5m8x-rpv3, CVE-2025-64101, M8]', async () => {
  const forged = [
    'Host: evil.example',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: gopher',
    'Forwarded: host=evil.example;proto=gopher',
    'X-Original-URL: /evil',
  ]
  const path = '/api/v1/auth/request'
  for (const [index, target] of [path, `http://evil.example${path}`].entries()) {
    const email = `dan${index}@example.com`
    const lines = [`POST ${target} HTTP/1.1`, ...forged, 'Content-Type: application/json']
    const answer = await sendRaw(service.origin, lines, JSON.stringify({ email }))
    assert.equal(answer.status, 200, answer.text)
    const mail = await service.smtp.mailTo(email)
    const link = linkIn(mail)
    assert.equal(link.origin + link.pathname, `${service.baseUrl}/auth/verify`)
    assert.deepEqual([...link.searchParams.keys()], ['token'])
    assert.doesNotMatch(mail.raw, /evil|gopher/)
  }
})

test('a page of another site cannot send a mail through a visitor’s browser [better-auth #10304, M16]', async () => {
  const body = { email: 'visitor@example.com' }
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service)) {
      assertError(await service.call(ROUTE, { body, headers }), 'ORIGIN_NOT_ALLOWED')
    }
  })
  for (const headers of ownCalls(service)) {
    const answer = await service.call(ROUTE, { body, headers })
    assert.equal(answer.status, 200, JSON.stringify(headers))
  }
  await service.smtp.mailTo('visitor@example.com')
})

test('concurrent requests for one address become one mail, with the redirectTo of the first', async (t) => {
  const waiting = await startService({ APP_URL: FRONTEND })
  t.after(() => waiting.close())
  await waiting.smtp.close()
  for (const step of [1, 2, 3]) {
    const body = { email: 'Eva@example.com', redirectTo: `${FRONTEND}/${step}` }
    assert.equal((await waiting.call(ROUTE, { body })).status, 200)
    await postponed(waiting)
  }
  const { mails } = await databaseContent(waiting.db)
  const waits = mails.map((mail) => [mail.email, mail.redirect_to])
  assert.deepEqual(waits, [['eva@example.com', `${FRONTEND}/1`]])

  const back = await startSmtp({}, Number(new URL(waiting.smtp.url).port))
  t.after(() => back.close())
  waiting.clock.advance(60_000)
  waiting.deps.mailer.wake()
  const link = linkIn(await back.mailTo('eva@example.com'))
  const led = await waiting.call(`GET /auth/verify${link.search}`, { headers: { accept: 'text/html' } })
  assert.match(led.headers.get('location') ?? '', /redirectTo=https%3A%2F%2Fapp\.example%2F1$/)
  await recipientsOf(waiting)
  assert.equal(back.mails.length, 1)
})

/** Resolves after the queue has tried and failed to send the only mail. */
async function postponed({ db, clock }: Service): Promise<void> {
  for (;;) {
    const mail = await db.query.selectFrom('queued_mails').selectAll().executeTakeFirstOrThrow()
    if (mail.leased_until_ms === null && mail.due_at_ms > clock.now()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
