import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError, assertUncacheable } from '../../../support/http/answers.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import { withFailingUpdates, withReadOnlyStorage } from '../../../support/database/faults.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../../support/database/state.ts'

const FRONTEND = 'https://app.example'
let service: Service

before(async () => {
  service = await startService({ APP_URL: FRONTEND })
})
after(() => service.close())

const emailOf = async (token: string) => (await service.call('GET /users/me', { token })).body.user.email

test('using one of five links for an address voids all five [M7]', async () => {
  const tokens: string[] = []
  for (let n = 0; n < 5; n++) tokens.push(await mailedToken(service, 'five@example.com'))
  const other = await mailedToken(service, 'other@example.com')
  assert.equal((await verify(service, tokens[1] ?? '')).status, 200)
  await assertNothingHappens(service, async () => {
    for (const token of tokens) assertError(await verify(service, token), 'LINK_INVALID')
  })
  assert.equal((await verify(service, other)).status, 200, 'another address’s link still works')
})

test('a link signs in the address it was mailed to, whatever else the request names [M6]', async () => {
  await service.signIn('victim@example.com')
  const victim = await userOf(service.db, 'victim@example.com')
  const parameters = [
    'email=victim@example.com',
    `user=${victim.id}`,
    `sub=${victim.id}`,
    'user[email]=victim@example.com',
  ]
  for (const [index, parameter] of parameters.entries()) {
    const email = `mallory${index}@example.com`
    const token = await mailedToken(service, email)
    const headers = { 'x-user-id': victim.id, cookie: `user=${victim.id}`, 'x-email': 'victim@example.com' }
    const answer = await service.call(`GET /auth/verify?token=${token}&${encodeURI(parameter)}`, { headers })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await emailOf(answer.body.token), email)
  }
  assert.deepEqual(await userOf(service.db, 'victim@example.com'), victim)
})

test('another user’s access token sent with a link changes neither account [M6]', async () => {
  const mallory = await service.signIn('mallory@example.com')
  const token = await mailedToken(service, 'ana@example.com')
  const answer = await service.call(`GET /auth/verify?token=${token}`, { token: mallory })
  assert.equal(await emailOf(answer.body.token), 'ana@example.com')
  assert.equal(await emailOf(mallory), 'mallory@example.com')
})

test('deleting an account voids its links and cancels its queued mails [M6]', async () => {
  const email = 'deleted@example.com'
  const signedIn = await service.signIn(email)
  const out = [await mailedToken(service, email), await mailedToken(service, email)]
  assert.equal((await service.call('DELETE /users/me', { token: signedIn })).status, 200)
  for (const token of out) {
    assertError(await verify(service, token), 'LINK_INVALID')
    assertError(await service.call('POST /auth/links/inspect', { body: { token } }), 'LINK_INVALID')
  }
  const { links, mails } = await databaseContent(service.db)
  assert.deepEqual(
    [...links, ...mails].filter((row) => row.email === email),
    [],
  )
  // The address can sign in again, to a new account.
  const again = await service.signIn(email)
  assertError(await service.call('GET /users/me', { token: signedIn }), 'UNAUTHORIZED')
  assert.equal(await emailOf(again), email)
})

// A link may be opened in a browser other than the one that asked for it: people read mail on another device. The
// danger is login CSRF; no cookie carries a session, and opening the link does not use it.
test('a link works after a click in any browser, and no other site’s page can make a visitor use one [CVE-2026-29784]', async () => {
  const token = await mailedToken(service, 'reader@example.com', { redirectTo: `${FRONTEND}/back` })
  const visits: Record<string, string>[] = [
    {
      accept: 'text/html',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      referer: 'https://evil.example/',
    },
    {
      accept: 'image/avif,*/*',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    },
    { accept: '*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { accept: 'text/css,*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' },
  ]
  await assertNothingHappens(service, async () => {
    for (const headers of visits) {
      const redirected = await verify(service, token, { headers })
      assert.equal(redirected.status, 302)
      assert.equal(redirected.headers.get('set-cookie'), null)
      assert.equal(redirected.headers.get('access-control-allow-origin'), null)
      assert.doesNotMatch(redirected.text, /eyJ/)
      assertUncacheable(redirected)
    }
  })
  const page = await fetch(`${service.origin}/confirm`)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)

  // A cross-site script can send this, but cannot read the answer without CORS headers.
  const elsewhere = await verify(service, token, {
    headers: { origin: 'https://evil.example', accept: '*/*', 'user-agent': 'another one' },
  })
  assert.equal(elsewhere.headers.get('access-control-allow-origin') === 'https://evil.example', false)
  assert.equal(elsewhere.headers.get('access-control-allow-credentials'), null)
  assert.equal(elsewhere.headers.get('set-cookie'), null)
})

test('mail scanners, previews and prefetches do not use a link up [M10]', async () => {
  const token = await mailedToken(service, 'scanned@example.com')
  const agents = [
    'Mozilla/5.0 (compatible; Barracuda)',
    'Slackbot-LinkExpanding 1.0',
    'facebookexternalhit/1.1',
    'GoogleImageProxy',
    'Outlook-SafeLinks',
  ]
  await assertNothingHappens(service, async () => {
    for (const agent of agents) {
      const headers = { 'user-agent': agent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
      assert.equal((await verify(service, token, { headers, method: 'HEAD' })).status, 200)
      const redirected = await verify(service, token, { headers })
      assert.equal(redirected.status, 302)
      const page = await fetch(redirected.headers.get('location') ?? '', { headers })
      assert.equal(page.status, 200)
      assert.doesNotMatch(await page.text(), new RegExp(token))
    }
    for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
      assert.equal((await verify(service, token, { headers: { 'sec-purpose': purpose } })).status, 302)
    }
  })
  assert.equal((await verify(service, token)).status, 200)
})

test('answers about a link forbid caching, indexing, referrers and framing [M9]', async () => {
  const token = await mailedToken(service, 'headers@example.com')
  const answers = [
    await verify(service, token, { headers: { accept: 'text/html' } }),
    await verify(service, token, { method: 'HEAD' }),
    await verify(service, 'unknown'),
    await verify(service, token, { redirectTo: 'https://evil.example/' }),
    await verify(service, token),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [302, 200, 401, 400, 200],
  )
  for (const answer of answers) {
    assertUncacheable(answer)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
    assert.equal(answer.headers.get('x-frame-options'), 'DENY')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a sign-in that fails half way yields no token and stores nothing, and the link still works once [M4]', async () => {
  const email = 'half@example.com'
  await service.signUp(email)
  const token = await mailedToken(service, email)
  // The link is used up in the same transaction, so a failed write leaves it unused.
  await assertNothingHappens(service, async () => {
    assertError(await withReadOnlyStorage(service.db, () => verify(service, token)), 'UNAVAILABLE')
    for (const column of ['claimed_at_ms', 'token_version']) {
      const answer = await withFailingUpdates(service.db, ['users', column], () => verify(service, token))
      assert.ok(answer.status >= 500, answer.text)
      assert.doesNotMatch(answer.text, /eyJ/)
    }
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(service, token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('a link whose table cannot be read yields no token [M4]', async (t) => {
  const broken = await startService()
  t.after(() => broken.close())
  const token = await mailedToken(broken, 'ana@example.com')
  await recipientsOf(broken)
  await sql`alter table magic_links rename to lost`.execute(broken.db.query)
  const answers = await Promise.all(Array.from({ length: 10 }, () => verify(broken, token)))
  for (const answer of answers) {
    assertError(answer, 'INTERNAL')
    assert.doesNotMatch(answer.text, /eyJ/)
  }
  await sql`alter table lost rename to magic_links`.execute(broken.db.query)
  assert.equal((await databaseContent(broken.db)).users.length, 0)
  assert.equal((await verify(broken, token)).status, 200)
})
