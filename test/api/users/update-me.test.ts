import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { withFailingUpdates, withReadOnlyStorage } from '../../support/database/faults.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf, recipientsOf } from '../../support/database/state.ts'

const ROUTE = 'PATCH /users/me'
const EMAIL = 'ana@example.com'
let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn(EMAIL)
})
after(() => service.close())

const rename = (name: unknown) => service.call(ROUTE, { token, body: { name } })

/** Asserts that these bodies are refused with this message, and that nothing is stored or sent. */
async function assertRefused(bodies: readonly unknown[], message: RegExp) {
  await assertNothingHappens(service, async () => {
    for (const body of bodies) assertError(await service.call(ROUTE, { token, body }), 'VALIDATION_FAILED', message)
  })
}

test('an update returns exactly the current account, is not cached, and changes only the name', async () => {
  await service.signIn('bob@example.com')
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  const answer = await rename('Ana')
  const user = await userOf(service.db, EMAIL)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    user: {
      id: user.id,
      email: EMAIL,
      role: 'USER',
      name: 'Ana',
      needsOnboarding: false,
      createdAt: new Date(user.created_at_ms).toISOString(),
    },
  })
  assertUncacheable(answer)
  assert.deepEqual((await service.call('GET /users/me', { token })).body, answer.body)
  const row = stored.users.find(({ id }) => id === user.id)
  Object.assign(row ?? {}, { name: 'Ana' })
  assert.deepEqual((await databaseContent(service.db)).users, stored.users)
})

test('a name in any language is stored unchanged', async () => {
  const names = [
    'Ștefan Țîrlea-Mânăstireanu',
    'S\u0326tefan',
    'محمد بن عبد الله',
    'می\u200cخواهم',
    '李小龍',
    '👩🏽\u200d💻 Ana 🏳️\u200d🌈',
    'a',
    '0',
    'null',
    '<script>alert(1)</script>',
    '"\\/&amp;%00{{7*7}}',
    '__proto__',
    '\ud83d\ude00',
    "Robert'); DROP TABLE users;--",
    "' OR '1'='1",
    "x' WHERE 1=1; UPDATE users SET role='ADMIN",
  ]
  for (const name of names) {
    const answer = await rename(name)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.user.name, name)
    assert.equal((await userOf(service.db, EMAIL)).name, name)
  }
  const { role, token_version: version } = await userOf(service.db, EMAIL)
  assert.deepEqual([role, version], ['USER', 0])
})

test('a name may have up to 100 characters, counted as code points', async () => {
  for (const character of ['a', 'ș', '👻']) {
    assert.equal((await rename(character.repeat(100))).status, 200, character)
    assert.equal((await userOf(service.db, EMAIL)).name, character.repeat(100))
    await assertRefused([{ name: character.repeat(101) }], /^`name` must have 1 to 100 characters\.$/)
  }
  await assertRefused(
    [{ name: '' }, { name: ' ' }, { name: '\u00a0\u3000' }],
    /^`name` must have 1 to 100 characters\.$/,
  )
})

test('whitespace, control characters and lone surrogates are refused with the name of the field', async () => {
  const controls = ['\u0000', '\u0007', '\t', '\n', '\r\n', '\u001b[31m', '\u007f', '\u0085', '\u009f']
  const names = [...controls.map((control) => `A${control}na`), '\ud800', 'A\udc00na', 'Ana\ud83d', '\ude00\ud83d']
  await assertRefused(
    names.map((name) => ({ name })),
    /^`name` must be printable text/,
  )
})

test('wrong types, missing and unknown fields are refused with the name of the field', async () => {
  const wrongTypes = [1, true, ['Ana'], [], { first: 'Ana' }, {}]
  await assertRefused(
    wrongTypes.map((name) => ({ name })),
    /^`name` must be a string, not an? \w+\.$/,
  )
  await assertRefused([{}], /^`name` is required\.$/)
  const others = ['id', 'email', 'role', 'tokenVersion', 'token_version', 'needsOnboarding', 'constructor']
  for (const field of others) {
    await assertRefused([{ name: 'Eve', [field]: 'ADMIN' }], new RegExp(`^\`${field}\` is not a known field\\.$`))
  }
  await assertRefused([{ name: 'Eve', 'é\n': 1 }], /^The body has an unknown field\.$/)
  const nested = '[{"name":"Eve"}]'
  await assertRefused(
    ['null', '[]', nested, '"Eve"', '1', undefined, ''],
    /^The body must be a JSON object(, not an? [a-z]+)?\.$/,
  )
})

test('bodies that are broken, poisoned, not UTF-8, too deep or of another media type are refused', async () => {
  const notJson = ['{', '{"name":"Eve",}', "{'name':'Eve'}", '{"name":"a\nb"}']
  await assertRefused(notJson, /^The request body is not valid JSON\.$/)
  await assertRefused(
    [`{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    /^`name` must be a string, not an? \w+\.$/,
  )
  await assertNothingHappens(service, async () => {
    const headers = { 'content-type': 'text/plain' }
    assertError(await service.call(ROUTE, { token, body: { name: 'Eve' }, headers }), 'UNSUPPORTED_MEDIA_TYPE')
    assertError(await service.call(ROUTE, { token, body: { name: 'Eve'.repeat(30_000) } }), 'PAYLOAD_TOO_LARGE')
    const body = Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')
    const response = await fetch(`${service.baseUrl}/users/me`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /not valid UTF-8/)
  })
})

test('without a valid token no name is changed, and the body is not validated', async () => {
  const dead = await service.signIn('dead@example.com')
  await service.call('POST /auth/tokens/revoke', { token: dead })
  await assertNothingHappens(service, async () => {
    for (const body of [{ name: 'Eve' }, { name: 1 }, '{']) {
      assertError(await service.call(ROUTE, { body }), 'UNAUTHORIZED', 'Unauthorized')
      assertError(await service.call(ROUTE, { token: dead, body }), 'UNAUTHORIZED', 'Unauthorized')
    }
  })
})

test('no path reaches another user’s account', async () => {
  await service.signIn('cia@example.com')
  const { id } = await userOf(service.db, 'cia@example.com')
  await assertNothingHappens(service, async () => {
    for (const path of [`/users/${id}`, `/users/me/${id}`, `/users/me/..%2F${id}`]) {
      assertError(await service.call(`PATCH ${path}`, { token, body: { name: 'Eve' } }), 'NOT_FOUND')
    }
    const lines = [`Authorization: Bearer ${token}`, 'Content-Type: application/json']
    const dots = ['PATCH /api/v1/users/me/../x HTTP/1.1', ...lines]
    assertError(await sendRaw(service.origin, dots, '{"name":"Eve"}'), 'NOT_FOUND')
  })
})

test('an update that cannot be stored is a 5xx, and the name is unchanged', async () => {
  await rename('Ana')
  await assertNothingHappens(service, async () => {
    const failed = await withFailingUpdates(service.db, ['users', 'name'], () => rename('Lost'))
    assertError(failed, 'INTERNAL', 'Internal error. Report it with the X-Request-Id of this response.')
    assertError(await withReadOnlyStorage(service.db, () => rename('Lost')), 'UNAVAILABLE')
  })
  assert.equal((await rename('Kept')).body.user.name, 'Kept')
})
