/** Callers' texts reach the database only as parameters, whatever SQL they contain. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { exchange, createKey, listed } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../../support/database/state.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Text that ends a literal, an identifier or a statement in some database. */
const QUOTES = [
  "'",
  "''",
  '"',
  '`',
  "\\'",
  '\\',
  "'; drop table api_keys; --",
  "' or '1'='1",
  "') or 1=1 --",
  '$1',
  '?',
  ':id',
  "x' union select secret_hash from api_keys --",
  '%',
  '_',
  '*/',
  '/*',
  "E'\\'",
  '$$;drop table users;$$',
  '{"a":"\'"}',
]

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('names and addresses with SQL in them are stored unchanged, in their own row only [CVE-2026-33468]', async () => {
  const { call, db } = service
  const bystander = await service.signUp('bystander@example.com')
  for (const [index, text] of QUOTES.entries()) {
    // The characters that an address may contain.
    const email = `o'--${text.replaceAll(/[^'`$?%_*/{}]/g, '')}${index}@example.com`
    const signedUp = await call('POST /auth/api/signup', { body: { email, name: text, keyName: text } })
    assert.equal(signedUp.status, 201, signedUp.text)
    const { token, user, apiKey } = signedUp.body
    const made = await createKey(service, token, { name: `${text}2` })
    const stored = (await databaseContent(db)).apiKeys.filter((key) => key.user_id === user.id)
    assert.deepEqual(new Set(stored.map(({ name }) => name)), new Set([text, `${text}2`]))
    assert.deepEqual([(await userOf(db, email)).id, (await userOf(db, email)).name], [user.id, text])
    assert.equal((await listed(service, token, apiKey.id)).name, text)
    const renamed = await call('PATCH /users/me', { token, body: { name: `${text}3` } })
    assert.equal(renamed.body.user.name, `${text}3`)
    assert.equal((await call(`POST /auth/api-keys/${made.apiKey.id}/revoke`, { token })).status, 200)
  }
  const { users } = await databaseContent(db)
  assert.equal(users.length, 1 + QUOTES.length)
  assert.equal((await userOf(db, 'bystander@example.com')).name, null)
  assert.equal((await exchange(service, bystander)).status, 200)
})

test('ids, tokens and secrets with SQL in them find and change nothing [CVE-2026-33468]', async () => {
  const { call } = service
  const { token } = await service.signUp('cia@example.com')
  await assertNothingHappens(service, async () => {
    for (const text of QUOTES) {
      const inPath = encodeURIComponent(text)
      const answers = [
        await call(`POST /auth/api-keys/${inPath}/revoke`, { token }),
        await call(`GET /auth/verify?token=${inPath}`),
        await call('POST /auth/links/inspect', { body: { token: text } }),
        await call('POST /auth/api/token', { body: { keyId: text, keySecret: text } }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 401, 401, 401],
        text,
      )
    }
  })
})

test('no source file puts text into SQL as a literal [CVE-2026-33468]', () => {
  const paths = globSync('src/**/*.ts', { cwd: root })
  assert.ok(paths.length > 40, 'the source files were found')
  // Kysely's ways to inline a literal, including the vulnerable one (JSON paths).
  const literal = /\bsql\.(?:lit|raw)\b|\.lit\(|jsonPath|prepare\(`|exec\(`[^`]*\$\{/
  // Exempt are the database copy, which takes table names from a fixed list, and constants: the planner uses a partial
  // index only if the query states its condition as a literal.
  const source = (path: string) =>
    readFileSync(`${root}/${path}`, 'utf8')
      .replace(/(?<=prepare\()`select [a-z *()]+ from \$\{table\}`/g, '')
      .replaceAll(/\bsql\.lit\((?:[A-Z][A-Z_]*|\d)\)/g, '')
  const found = paths.filter((path) => literal.test(source(path)))
  assert.deepEqual(found, [])
})
