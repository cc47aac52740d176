import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, shapeOf } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { foreignCalls, ownCalls } from '../../support/http/cross-site.ts'
import { exchange } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const ROUTE = 'POST /auth/api/signup'
let service: Service

before(async () => {
  service = await startService({ APP_URL: 'https://app.example' })
})
after(() => service.close())

const signUp = (body: unknown, headers: Record<string, string> = {}) => service.call(ROUTE, { body, headers })

test('signup returns 201 with exactly the fields of the specification and is not cached', async () => {
  const answer = await signUp({ email: 'Ana@Example.com', name: 'Ana', keyName: 'Server' })
  assert.equal(answer.status, 201)
  assert.deepEqual(shapeOf(answer.body), {
    user: { id: 'string', email: 'string' },
    apiKey: { id: 'string', name: 'string', keyId: 'string' },
    keySecret: 'string',
    token: 'string',
    tokenType: 'string',
    expiresInSeconds: 'number',
    needsOnboarding: 'boolean',
  })
  const { user, apiKey, keySecret, token, ...rest } = answer.body
  assert.equal(user.email, 'ana@example.com')
  assert.equal(apiKey.name, 'Server')
  assert.match(apiKey.keyId, /^plk_[0-9A-Za-z]{22}$/)
  assert.match(keySecret, /^pls_[0-9A-Za-z]{49}$/)
  assert.match(token, /^eyJ[\w.-]+$/)
  assert.deepEqual(rest, { tokenType: 'Bearer', expiresInSeconds: 3600, needsOnboarding: true })
  assertUncacheable(answer)
})

// Unclaimed accounts need no expiry: the owner of the address can claim them at any time.
test('the account starts unclaimed with a key named "API key", and the owner is notified once [P6]', async () => {
  const { body } = await signUp({ email: 'bob@example.com' })
  const nowMs = service.clock.now()
  assert.deepEqual(
    { ...(await userOf(service.db, 'bob@example.com')) },
    {
      id: body.user.id,
      email: 'bob@example.com',
      role: 'USER',
      name: null,
      token_version: 0,
      claimed_at_ms: null,
      created_at_ms: nowMs,
      locale: 'en',
      deleted_at_ms: null,
      payment_link_count: 0,
      disabled_at_ms: null,
    },
  )
  assert.equal(body.apiKey.name, 'API key')
  const notices = (await recipientsOf(service)).filter((recipient) => recipient === 'bob@example.com')
  assert.equal(notices.length, 1)
  const { links } = await databaseContent(service.db)
  assert.equal(
    links.some((link) => link.email === 'bob@example.com'),
    false,
  )
})

test('the token belongs to the first key and lives one hour, and the key can be exchanged for another', async () => {
  const { user, apiKey, keySecret, token } = (await signUp({ email: 'cia@example.com' })).body
  const { iat, exp, jti, ...claims } = read(token).claims
  assert.equal(Number(exp) - Number(iat), 3600)
  assert.ok(jti)
  const fixed = { iss: service.origin, aud: service.baseUrl, role: 'USER', tokenVersion: 0 }
  assert.deepEqual(claims, { ...fixed, sub: user.id, amr: ['api_key'], apiKeyId: apiKey.id })
  assert.equal((await service.call('GET /users/me', { token })).status, 200)

  const exchanged = await exchange(service, { apiKey, keySecret })
  assert.equal(exchanged.status, 200)
  assert.equal(exchanged.body.user.id, user.id)
})

test('an address with an account gets 409 in any spelling, and nothing is stored [P7]', async () => {
  await service.signUp('dan@example.com')
  await service.signIn('eva@example.com')
  await assertNothingHappens(service, async () => {
    for (const email of ['dan@example.com', 'DAN@EXAMPLE.COM', 'ｄan@example.com', 'eva@example.com']) {
      const answer = await signUp({ email, name: 'Somebody', keyName: 'else' })
      assertError(answer, 'EMAIL_TAKEN')
      assert.doesNotMatch(answer.text, /pls_|eyJ/)
    }
  })
})

test('a refused signup is an event of that address’s account only', async () => {
  const { token } = await service.signUp('joy@example.com')
  for (const email of ['joy@example.com', 'JOY@example.com']) assertError(await signUp({ email }), 'EMAIL_TAKEN')
  await service.deps.failureLog.flush()
  const { id } = await userOf(service.db, 'joy@example.com')
  const refused = await service.db.query
    .selectFrom('security_events')
    .selectAll()
    .where('type', '=', 'signup_refused')
    .execute()
  const ofJoy = refused.filter(({ user_id }) => user_id === id)
  assert.deepEqual(
    ofJoy.map(({ client, times, detail }) => [client, times, detail]),
    [['127.0.0.1', 2, null]],
  )
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
})

test('of 50 concurrent signups for one address one succeeds, with one account, one key and one mail [P7]', async () => {
  const { users, apiKeys } = await databaseContent(service.db)
  const answers = await runInLockstep(service, 50, () => signUp({ email: 'fay@example.com' }))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, ...Array<number>(49).fill(409)])
  const afterwards = await databaseContent(service.db)
  assert.equal(afterwards.users.length, users.length + 1)
  assert.equal(afterwards.apiKeys.length, apiKeys.length + 1)
  const notices = (await recipientsOf(service)).filter((recipient) => recipient === 'fay@example.com')
  assert.equal(notices.length, 1)
})

test('wrong types, missing and unknown fields are refused with the name of the field, and nothing is stored', async () => {
  const email = 'gus@example.com'
  const unshowable = [
    `a${'\u0300'.repeat(5)}`,
    'a\u0000b',
    'a\r\nb',
    '\u001b[31m',
    '\u0085',
    'a\u2028b',
    'a\u2029b',
    '\ud800',
    'a\udc00b',
    '\u200b\u200d',
    'a\u202egnp.exe',
    'a\u2066b\u2069',
  ]
  await assertNothingHappens(service, async () => {
    await assertOnlyObjects(service, ROUTE)
    const refused: [unknown, string | RegExp][] = [
      [undefined, /^The body must be a JSON object(, not an? [a-z]+)?\.$/],
      [{}, '`email` is required.'],
      [{ email: null }, /^`email` must be a string, not /],
      [{ email: [email] }, /^`email` must be a string, not /],
      [{ email: 'gus' }, '`email` must be one plain e-mail address: it has no @.'],
      [
        { email: `${email},eve@evil.example` },
        '`email` must be one plain e-mail address: it contains several addresses.',
      ],
      [{ email, emailVerified: true }, '`emailVerified` is not a known field.'],
      [{ email, role: 'ADMIN' }, '`role` is not a known field.'],
      [{ email, tokenVersion: -1 }, '`tokenVersion` is not a known field.'],
      [{ email, userId: 'x' }, '`userId` is not a known field.'],
    ]
    for (const field of ['name', 'keyName']) {
      const refuse = (value: unknown, must: string) =>
        refused.push([{ email, [field]: value }, `\`${field}\` must ${must}.`])
      const wrongForms = { number: 1, boolean: true, list: ['a'], object: { a: 1 } }
      for (const [form, value] of Object.entries(wrongForms)) {
        refuse(value, `be a string, not ${form === 'object' ? 'an' : 'a'} ${form}`)
      }
      for (const value of unshowable) {
        refuse(
          value,
          'be printable text: no control characters, not only whitespace, and at most four combining marks in a row',
        )
      }
      for (const value of ['', ' ', '\u00a0\u2003', 'é'.repeat(101)]) refuse(value, 'have 1 to 100 characters')
    }
    for (const [body, message] of refused) {
      assertError(await signUp(body), 'VALIDATION_FAILED', message)
    }
  })
})

test('names of up to 100 characters in any language are accepted', async () => {
  const names = [
    'Nguye\u0302\u0303n',
    'שּׁ\u05b8\u0596לום',
    'ที่นี่',
    'a'.repeat(100),
    '🦊'.repeat(100),
    'Ștefan-Țîrlea 王小明',
    'مرحبا',
    "O'Neil <b>",
  ]
  for (const [index, name] of names.entries()) {
    const email = `named${index}@example.com`
    const { status, body } = await signUp({ email, name, keyName: name })
    assert.equal(status, 201, name)
    assert.equal(body.apiKey.name, name)
    assert.equal((await userOf(service.db, email)).name, name)
  }
})

test('a page of another site cannot sign up through a visitor’s browser [M16]', async () => {
  await assertNothingHappens(service, async () => {
    for (const headers of foreignCalls(service)) {
      assertError(await signUp({ email: 'visitor@example.com' }, headers), 'ORIGIN_NOT_ALLOWED')
    }
  })
  for (const [index, headers] of ownCalls(service).entries()) {
    assert.equal((await signUp({ email: `visitor${index}@example.com` }, headers)).status, 201)
  }
})

test('with signup closed nothing is created, and the response does not reveal known addresses', async (t) => {
  const closed = await startService({ SIGNUP: 'closed' })
  t.after(() => closed.close())
  const known = { id: 'known', email: 'known@example.com', role: 'USER', name: null, token_version: 0 }
  await closed.db.query
    .insertInto('users')
    .values({ ...known, claimed_at_ms: 1, created_at_ms: 1 })
    .execute()
  await assertNothingHappens(closed, async () => {
    for (const email of ['new@example.com', 'known@example.com']) {
      assertError(await closed.call(ROUTE, { body: { email } }), 'SIGNUP_CLOSED')
    }
  })
})
