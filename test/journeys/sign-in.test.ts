import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { linkIn } from '../support/mail/smtp.ts'
import { databaseContent, recipientsOf } from '../support/database/state.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' }

describe('a person signs in', () => {
  let service: Service
  before(async () => {
    service = await startService({ APP_URL: 'https://app.example.com' })
  })
  after(() => service.close())

  test('with the mailed link, gives a name, and signs out everywhere with one call', async () => {
    const { call, smtp, origin, db } = service
    const email = 'ana@example.com'

    const requested = await call('POST /auth/request', { body: { email: 'Ana@Example.com' } })
    assert.equal(requested.status, 200)
    assert.deepEqual(requested.body, { ok: true })
    assert.equal((await databaseContent(db)).users.length, 0, 'a request makes no account')

    const mail = await smtp.mailTo(email)
    assert.deepEqual(mail.to, [email])
    const link = linkIn(mail)
    assert.equal(link.origin + link.pathname, `${origin}/api/v1/auth/verify`)
    const token = link.searchParams.get('token')!

    // The mail program opens the link in a browser, which is redirected to a page; the link is not used up.
    const opened = await fetch(link, { redirect: 'manual', headers: BROWSER })
    assert.equal(opened.status, 302)
    const confirm = new URL(opened.headers.get('location')!)
    assert.equal(confirm.origin + confirm.pathname, `${origin}/confirm`)
    assert.equal(confirm.search, '', 'the token travels in the fragment only')
    assert.equal(new URLSearchParams(confirm.hash.slice(1)).get('token'), token)
    const page = await fetch(`${origin}/confirm`, { headers: BROWSER })
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /^text\/html/)

    // The page inspects the link, shows its address, and verifies it as a program after the click.
    const inspected = await call('POST /auth/links/inspect', { body: { token }, headers: { origin } })
    assert.equal(inspected.body.email, 'a***@example.com')
    assert.equal((await databaseContent(db)).users.length, 0, 'inspecting a link makes no account')
    const verified = await call(`GET /auth/verify${link.search}`, { headers: { accept: '*/*' } })
    assert.equal(verified.status, 200)
    assert.deepEqual(Object.keys(verified.body).toSorted(), ['needsOnboarding', 'token'])
    assert.equal(verified.body.needsOnboarding, true)
    const access = verified.body.token

    assertError(await call(`GET /auth/verify${link.search}`), 'LINK_INVALID')
    assertError(await call('POST /auth/links/inspect', { body: { token } }), 'LINK_INVALID')

    const me = await call('GET /users/me', { token: access })
    assert.equal(me.status, 200)
    assert.equal(me.body.user.email, email)
    assert.equal(me.body.user.role, 'USER')
    assert.equal(me.body.user.name, null)
    assert.equal(me.body.user.needsOnboarding, true)
    const renamed = await call('PATCH /users/me', { token: access, body: { name: 'Ana Ştefănescu' } })
    assert.equal(renamed.body.user.name, 'Ana Ştefănescu')
    assert.equal((await call('GET /users/me', { token: access })).body.user.needsOnboarding, false)

    // A second device, then sign out everywhere: both tokens die at once.
    const second = await service.signIn(email)
    assert.equal((await call('GET /users/me', { token: access })).status, 200)
    assert.deepEqual((await call('POST /auth/tokens/revoke', { token: second })).body, { ok: true })
    for (const dead of [access, second]) {
      assertError(await call('GET /users/me', { token: dead }), 'UNAUTHORIZED', 'Unauthorized')
      assertError(await call('POST /auth/api-keys', { token: dead }), 'UNAUTHORIZED', 'Unauthorized')
    }

    // The next sign-in finds the same, complete account.
    const again = await service.signIn(email)
    const { user } = (await call('GET /users/me', { token: again })).body
    assert.equal(user.id, me.body.user.id)
    assert.equal(user.name, 'Ana Ştefănescu')
    assert.equal(user.needsOnboarding, false)
    assert.deepEqual(await recipientsOf(service), [email, email, email], 'one mail per request')
    assert.deepEqual((await databaseContent(db)).apiKeys, [], 'signing in makes no key')
  })

  test('and returns to where the frontend asked for, never to another origin', async () => {
    const { call, smtp, origin } = service
    const email = 'radu@example.com'
    const redirectTo = 'https://app.example.com/links?tab=paid'

    const elsewhere = { email, redirectTo: 'https://app.example.com.evil.example/' }
    assertError(await call('POST /auth/request', { body: elsewhere }), 'REDIRECT_NOT_ALLOWED')
    await call('POST /auth/request', { body: { email, redirectTo } })
    const link = linkIn(await smtp.mailTo(email))

    const opened = await call(`GET /auth/verify${link.search}`, { headers: BROWSER })
    const fragment = new URLSearchParams(new URL(opened.headers.get('location')!).hash.slice(1))
    assert.equal(fragment.get('redirectTo'), redirectTo)
    const evil = `${link.search}&redirectTo=${encodeURIComponent('https://evil.example/')}`
    assertError(await call(`GET /auth/verify${evil}`), 'REDIRECT_NOT_ALLOWED')

    const query = new URLSearchParams({ token: fragment.get('token')!, redirectTo })
    const verified = await call(`GET /auth/verify?${query.toString()}`, { headers: { origin } })
    assert.equal(verified.status, 200, 'the refused attempt did not use the link up')
    assert.equal((await recipientsOf(service)).filter((to) => to === email).length, 1)
  })
})
