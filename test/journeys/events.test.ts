import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventTypes } from '../../src/domain/events/security-events.ts'
import { upkeep } from '../../src/domain/upkeep.ts'
import { appsOf, ask, startApp } from '../support/accounts/apps.ts'
import { assertError } from '../support/http/answers.ts'
import { runInLockstep } from '../support/wire/lockstep.ts'
import { buttonIn, eventsOf, pauseMail, signInMail } from '../support/mail/buttons.ts'
import { disable, enable } from '../support/accounts/disabled.ts'
import { withFailingWrite } from '../support/database/faults.ts'
import { startGoogleService } from '../support/google/google.ts'
import { createKey, rotateKey } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { signInIdOf } from '../support/accounts/sessions.ts'
import { from, productionLimits } from '../support/http/limits.ts'
import { mailedToken } from '../support/mail/links.ts'
import { startService } from '../support/service.ts'
import type { Answer, Call, Service } from '../support/service.ts'
import { linkIn } from '../support/mail/smtp.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../support/database/state.ts'

test('every step of an account’s life stores its event, in order, with time, network and key', async (t) => {
  const service = await startGoogleService({
    ...productionLimits,
    RATE_LIMIT_KEY_CREATION: '2/1h',
    RATE_LIMIT_SIGN_IN_FAILURES: '1/15m',
    // Refills by less than one in the ten seconds that ten failures take here.
    RATE_LIMIT_EXCHANGE_FAILURES: '10/1h',
  })
  const email = 'ana@example.com'
  const expected: unknown[] = []

  /** Adds the event that the next call must store. */
  function expect(type: string, client: string | null, more: object = {}): void {
    const at = new Date(service.clock.now()).toISOString()
    expected.push({
      type,
      at,
      client,
      browser: null,
      apiKeyId: null,
      byApiKeyId: null,
      signInId: null,
      bySignInId: null,
      detail: null,
      times: 1,
      ...more,
    })
  }
  /** Makes a call a second later, from an address. */
  async function act(address: string, route: string, { status, ...call }: Call & { status: number }): Promise<any> {
    service.clock.advance(1000)
    const answer = await service.call(route, { ...call, headers: from(address) })
    assert.equal(answer.status, status, `${route}: ${answer.text}`)
    return answer.body
  }
  async function signIn(address: string) {
    await act(address, 'POST /auth/request', { body: { email }, status: 200 })
    const mail = await service.smtp.mailTo(email, 5000, '/auth/verify?')
    await recipientsOf(service)
    const { search } = linkIn(mail, '/auth/verify?')
    const { token } = await act(address, `GET /auth/verify${search}`, { status: 200 })
    return { token: token as string, search, mail }
  }
  const exchange = (address: string, { apiKey, keySecret }: NewKey, status: number) =>
    act(address, 'POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret }, status })

  try {
    const first = await act('203.0.113.1', 'POST /auth/api/signup', { body: { email }, status: 201 })
    expect('account_created', '203.0.113.1', { apiKeyId: first.apiKey.id })
    const second = await act('203.0.113.2', 'POST /auth/api-keys', { token: first.token, status: 201 })
    expect('key_created', '203.0.113.2', { apiKeyId: second.apiKey.id, byApiKeyId: first.apiKey.id })

    const { token, search } = await signIn('2001:db8:1:2::3')
    expect('account_claimed', '2001:db8:1:2::/64')
    expect('signed_in', '2001:db8:1:2::/64', { detail: 'magic_link', signInId: signInIdOf(token) })
    const byOwner = { bySignInId: signInIdOf(token) }
    await act('203.0.113.4', `GET /auth/verify${search}`, { status: 401 })
    expect('sign_in_refused', '203.0.113.4')
    await act('203.0.113.4', `GET /auth/verify${search}`, { status: 429 })
    expect('limit_hit', '203.0.113.4', { detail: 'sign-in-failures' })

    await act('203.0.113.14', 'POST /auth/api/signup', { body: { email }, status: 409 })
    expect('signup_refused', '203.0.113.14')

    await exchange('203.0.113.5', first, 403)
    expect('exchange_refused', '203.0.113.5', { apiKeyId: first.apiKey.id, detail: 'AWAITS_OWNER' })
    await act('203.0.113.6', `POST /auth/api-keys/${first.apiKey.id}/keep`, { token, status: 200 })
    expect('key_kept', '203.0.113.6', { ...byOwner, apiKeyId: first.apiKey.id })
    const restriction = { token, body: { restrictions: { currencies: ['EUR'] } }, status: 200 }
    await act('203.0.113.6', `PATCH /auth/api-keys/${second.apiKey.id}`, restriction)
    expect('key_restricted', '203.0.113.6', { ...byOwner, apiKeyId: second.apiKey.id })
    await act('203.0.113.6', `POST /auth/api-keys/${second.apiKey.id}/revoke`, { token, status: 200 })
    expect('key_revoked', '203.0.113.6', { ...byOwner, apiKeyId: second.apiKey.id })
    const credential = service.issuer.sign(service.issuer.claims({ email: 'ana@gmail.com' }))
    await act('203.0.113.15', 'POST /auth/google/connection', { token, body: { credential }, status: 200 })
    expect('google_connected', '203.0.113.15', { ...byOwner, detail: 'ana@gmail.com' })
    await act('203.0.113.16', 'DELETE /auth/google/connection', { token, status: 200 })
    expect('google_disconnected', '203.0.113.16', { ...byOwner, detail: 'ana@gmail.com' })
    const app = await startApp(t)
    const { id: requestId } = await ask(service, token, app)
    const consent = { token, body: { requestId, allow: true }, status: 200 }
    await act('203.0.113.17', 'POST /oauth/authorize/decide', consent)
    const [{ id: appId, domain }] = (await appsOf(service, token)) as [{ id: string; domain: string }]
    expect('app_connected', '203.0.113.17', { ...byOwner, apiKeyId: appId, detail: domain })
    await act('203.0.113.18', `POST /auth/apps/${appId}/revoke`, { token, status: 200 })
    expect('app_disconnected', '203.0.113.18', { ...byOwner, apiKeyId: appId })
    await exchange('203.0.113.7', second, 401)
    expect('exchange_refused', '203.0.113.7', { apiKeyId: second.apiKey.id, detail: 'REVOKED' })

    const body = { name: 'Third', expiresInDays: 9 }
    const third = await act('203.0.113.6', 'POST /auth/api-keys', { token, body, status: 201 })
    expect('key_created', '203.0.113.6', { ...byOwner, apiKeyId: third.apiKey.id })
    await exchange('203.0.113.8', { ...third, keySecret: 'wrong' }, 401)
    expect('exchange_refused', '203.0.113.8', { apiKeyId: third.apiKey.id, detail: 'WRONG_SECRET', times: 10 })
    for (let n = 1; n < 10; n += 1) await exchange('203.0.113.8', { ...third, keySecret: `wrong ${n}` }, 401)
    await exchange('203.0.113.8', { ...third, keySecret: 'wrong' }, 429)
    expect('limit_hit', '203.0.113.8', { apiKeyId: third.apiKey.id, detail: 'exchange-failures' })

    // Before days pass: the sweep deletes expired rate-limit rows.
    await act('203.0.113.6', 'POST /auth/api-keys', { token, status: 201 })
    const { body: list } = await service.call('GET /auth/api-keys', { token })
    expect('key_created', '203.0.113.6', { ...byOwner, apiKeyId: list.apiKeys[0].id })
    await act('203.0.113.6', 'POST /auth/api-keys', { token, status: 429 })
    expect('limit_hit', '203.0.113.6', { detail: 'key-creation' })

    // A successful exchange is no event; actions with its token are.
    const { token: ofThird } = await exchange('203.0.113.9', third, 200)
    const rotated = await act('203.0.113.9', `POST /auth/api-keys/${third.apiKey.id}/rotate`, {
      token: ofThird,
      status: 200,
    })
    expect('key_rotated', '203.0.113.9', { apiKeyId: third.apiKey.id, byApiKeyId: third.apiKey.id })
    await act('203.0.113.9', 'PATCH /users/me', { token: ofThird, body: { name: 'Ana' }, status: 200 })
    expect('renamed', '203.0.113.9', { byApiKeyId: third.apiKey.id, times: 2 })
    await act('203.0.113.9', 'PATCH /users/me', { token: ofThird, body: { name: 'Ana' }, status: 200 })
    await act('203.0.113.9', 'PATCH /users/me', { token: ofThird, body: { name: 'Ana Pop' }, status: 200 })
    const { paymentLink } = await act('203.0.113.9', 'POST /payment-links', {
      token: ofThird,
      body: { amount: 1, title: 'Tea' },
      status: 201,
    })
    await act('203.0.113.9', `POST /payment-links/${paymentLink.id}/deactivate`, { token: ofThird, status: 200 })
    expect('payment_link_deactivated', '203.0.113.9', { byApiKeyId: third.apiKey.id })
    await act('203.0.113.6', 'GET /users/me/export', { token, status: 200 })
    expect('exported', '203.0.113.6', byOwner)
    service.clock.advance(3 * 86_400_000)
    await upkeep(service.deps)
    expect('key_expiring', null, { apiKeyId: third.apiKey.id })
    const secrets = [{ keySecret: rotated.keySecret, seenAt: 'https://paste.example/1' }]
    await act('203.0.113.10', 'POST /auth/api-keys/leaked', { body: { secrets }, status: 200 })
    expect('key_leaked', '203.0.113.10', { apiKeyId: third.apiKey.id, detail: 'https://paste.example/1' })

    await act('203.0.113.6', 'POST /auth/tokens/revoke', { token, status: 200 })
    expect('tokens_revoked', '203.0.113.6', byOwner)

    const thief = await signIn('203.0.113.11')
    expect('signed_in', '203.0.113.11', { detail: 'magic_link', signInId: signInIdOf(thief.token) })
    await act('203.0.113.11', 'POST /auth/request', { body: { email }, status: 429 })
    expect('limit_hit', '203.0.113.11', { detail: 'request-repeat' })
    await act('203.0.113.12', 'POST /auth/links/not-me', {
      body: { token: buttonIn(thief.mail, 'not-me') },
      status: 200,
    })
    expect('not_me', '203.0.113.12', { detail: 'sign_in', signInId: signInIdOf(thief.token) })
    const owner = await signIn('203.0.113.13')
    expect('signed_in', '203.0.113.13', { detail: 'magic_link', signInId: signInIdOf(owner.token) })
    await act('203.0.113.13', 'POST /auth/mail/resume', {
      body: { token: buttonIn(owner.mail, 'resume-mail') },
      status: 200,
    })
    expect('mail_resumed', '203.0.113.13')
    await act('203.0.113.13', 'POST /auth/sign-out', { token: owner.token, status: 200 })
    const itself = { signInId: signInIdOf(owner.token), bySignInId: signInIdOf(owner.token) }
    expect('signed_out', '203.0.113.13', itself)

    service.clock.advance(1000)
    await disable(service, email)
    expect('account_disabled', null)
    service.clock.advance(1000)
    await enable(service, email)
    expect('account_enabled', null)
    const { token: connecting } = await signIn('203.0.113.14')
    expect('signed_in', '203.0.113.14', { detail: 'magic_link', signInId: signInIdOf(connecting) })
    const kept = () => service.issuer.sign(service.issuer.claims({ sub: 'kept', email: 'kept@third.example' }))
    const connection = { token: connecting, body: { credential: kept() }, status: 200 }
    await act('203.0.113.14', 'POST /auth/google/connection', connection)
    const byConnecting = { bySignInId: signInIdOf(connecting) }
    expect('google_connected', '203.0.113.14', { ...byConnecting, detail: 'kept@third.example' })
    service.clock.advance(3_600_000)
    const { token: changing } = await signIn('203.0.113.17')
    const byChanging = { bySignInId: signInIdOf(changing) }
    expect('signed_in', '203.0.113.17', { detail: 'magic_link', signInId: signInIdOf(changing) })
    const newEmail = 'ana.pop@example.com'
    await act('203.0.113.17', 'POST /users/me/email', { token: changing, body: { email: newEmail }, status: 202 })
    expect('email_change_asked', '203.0.113.17', { ...byChanging, detail: newEmail })
    const mailed = { token: buttonIn(await service.smtp.mailTo(newEmail), 'confirm-email') }
    const confirmation = { token: changing, body: mailed, status: 200 }
    const { token: changed } = await act('203.0.113.17', 'POST /auth/email/confirm', confirmation)
    expect('google_disconnected', '203.0.113.17', { ...byChanging, detail: 'kept@third.example' })
    expect('email_changed', '203.0.113.17', { ...byChanging, detail: newEmail })
    await act('203.0.113.17', 'DELETE /users/me', { token: changed, status: 200 })
    expect('deletion_asked', '203.0.113.17', byChanging)
    await act('203.0.113.18', 'POST /auth/google/onetap', { body: { credential: kept() }, status: 200 })
    const undo = { token: buttonIn(await service.smtp.mailTo(email, 5000, '/undo-email#'), 'undo-email') }
    await act('203.0.113.19', 'POST /auth/email/undo', { body: undo, status: 200 })
    expect('google_not_restored', '203.0.113.19', { detail: 'kept@third.example' })
    // By a key of the sign-in that had connected a Google account in the week before.
    expect('renamed', '203.0.113.19')
    expect('email_change_undone', '203.0.113.19', { detail: email, signInId: signInIdOf(changing) })
    const { token: again } = await signIn('203.0.113.14')
    expect('signed_in', '203.0.113.14', { detail: 'magic_link', signInId: signInIdOf(again) })

    await service.deps.failureLog.flush()
    const { body: answer } = await service.call('GET /auth/events?limit=100', { token: again })
    const told: any[] = answer.events.map(({ id, ...event }: { id: string }) => (assert.ok(id), event))
    assert.deepEqual(told.toReversed(), expected)
    assert.deepEqual(
      Object.keys(eventTypes).filter((type) => !told.some((event) => event.type === type)),
      [],
    )
  } finally {
    await service.close()
  }
})

describe('a change that was rolled back leaves no event', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A prepared change, by the type of its event. */
  const changes: Readonly<Record<string, (email: string) => Promise<() => Promise<Answer>>>> = {
    account_created: async (email) => () => service.call('POST /auth/api/signup', { body: { email } }),
    signed_in: async (email) => {
      const link = await mailedToken(service, email)
      return () => service.call(`GET /auth/verify?token=${link}`)
    },
    key_created: async (email) => {
      const token = await service.signIn(email)
      return () => service.call('POST /auth/api-keys', { token })
    },
    key_kept: async (email) => {
      const { apiKey } = await service.signUp(email)
      const token = await service.signIn(email)
      return () => service.call(`POST /auth/api-keys/${apiKey.id}/keep`, { token })
    },
    key_rotated: async (email) => {
      const token = await service.signIn(email)
      const { apiKey } = await createKey(service, token)
      return () => service.call(`POST /auth/api-keys/${apiKey.id}/rotate`, { token })
    },
    not_me: async (email) => {
      const { link, notMe } = await signInMail(service, email)
      await service.call(`GET /auth/verify?token=${link}`)
      return () => service.call('POST /auth/links/not-me', { body: { token: notMe } })
    },
    mail_resumed: async (email) => {
      await service.signIn(email)
      await pauseMail(service, email)
      const token = buttonIn((await signInMail(service, email)).mail, 'resume-mail')
      return () => service.call('POST /auth/mail/resume', { body: { token } })
    },
  }

  for (const [type, prepare] of Object.entries(changes)) {
    test(`${type}: if any row of the change cannot be written, neither the change nor its event is stored`, async () => {
      const email = `${type.replaceAll('_', '-')}@example.com`
      const change = await prepare(email)
      await recipientsOf(service)
      const count = async () => (await eventsOf(service, email)).filter((event) => event.type === type).length
      const earlier = { events: await count(), content: await databaseContent(service.db) }
      for (let n = 1; ; n += 1) {
        const answer = await withFailingWrite(service.db, n, change)
        if (answer.status < 300) {
          assert.ok(n >= 3, `${n - 1} rows: at least the change and its event`)
          break
        }
        assertError(answer, 'INTERNAL')
        assert.deepEqual(await databaseContent(service.db), earlier.content, `row ${n}`)
      }
      assert.equal(await count(), earlier.events + 1)
    })
  }

  test('a dead token changes nothing and leaves no event', async () => {
    const token = await service.signIn('eva@example.com')
    const key = await createKey(service, token)
    await service.call('POST /auth/tokens/revoke', { token })
    const paths = ['', `/${key.apiKey.id}/revoke`, `/${key.apiKey.id}/rotate`, `/${key.apiKey.id}/keep`]
    const routes = [
      ...paths.map((path) => `POST /auth/api-keys${path}`),
      'POST /auth/tokens/revoke',
      'DELETE /users/me',
    ]
    await assertNothingHappens(service, async () => {
      for (const route of routes) assertError(await service.call(route, { token }), 'UNAUTHORIZED')
    })
  })

  test('of changes concurrent with a sign-out, exactly those that took effect have events', async () => {
    const email = 'fay@example.com'
    const token = await service.signIn(email)
    const key = await createKey(service, token)
    await rotateKey(service, token, key)
    const routes = ['POST /auth/api-keys', 'POST /auth/tokens/revoke', `POST /auth/api-keys/${key.apiKey.id}/rotate`]
    const answers = await runInLockstep(service, 9, (index) => service.call(routes[index % 3] ?? '', { token }))
    const done = routes.map(
      (_, which) => answers.filter(({ status }, index) => index % 3 === which && status < 300).length,
    )
    const told = (await eventsOf(service, email)).map(({ type }) => type)
    const types = ['key_created', 'tokens_revoked', 'key_rotated']
    const counts = types.map((type) => told.filter((one) => one === type).length)
    assert.deepEqual(counts, [(done[0] ?? 0) + 1, done[1], (done[2] ?? 0) + 1])
    assert.equal(done[1], 1)
  })
})
