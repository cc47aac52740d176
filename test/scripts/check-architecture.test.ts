import assert from 'node:assert/strict'
import test from 'node:test'
import { problemsIn } from '../../scripts/check-architecture.ts'

const endpointPath = 'src/api/users/get-me.ts'
const endpoint = `/** \`GET /users/me\`: the caller's account. */
import { findUser } from '../../domain/users/user-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'

/** Adds the endpoint. */
export const getMe: Endpoint = (app, { db }) => {
  app.get('/users/me', {
    config: { access: 'authenticated', errors: ['NOT_FOUND'] },
    schema: { operationId: 'getMe' },
    async handler(request) {
      // Date.now() in a comment, and 'process.env' in a text, are words.
      const user = await findUser(db, 'Math.random(), sql\`select 1\`')
      if (user === undefined) throw new ApiError('NOT_FOUND')
      return { createdAt: new Date(user.created_at_ms).toISOString() }
    },
  })
}
`
const tree: Readonly<Record<string, string>> = {
  [endpointPath]: endpoint,
  'test/api/users/get-me.test.ts': '/** Tests of it. */\nDate.now()\n',
  'src/api/users/page.css': 'body { margin: 0 }\n',
  'src/domain/users/user-store.ts': `/** The users table: every query on it. */
import type { Queries } from '../database/database.ts'

/** Reads one, with its keys. */
export function findUser(db: Queries, id: string) {
  return db.selectFrom('users').leftJoin('api_keys', 'api_keys.user_id', 'users.id').execute()
}
`,
  'src/domain/keys/key-store.ts': `/** The api_keys table: every query on it. */
import type { Queries } from '../database/database.ts'

/** Reads some. */
export const findKeys = (db: Queries) => db.selectFrom('api_keys').innerJoin('users', 'a', 'b').execute()
`,
  'src/lib/clock.ts': '/** Time. */\n\n/** The clock. */\nexport const clock = { now: () => Date.now() }\n',
  'src/lib/random.ts': "/** Randomness. */\nimport { randomBytes } from 'node:crypto'\nrandomBytes(1)\n",
  'src/config/read-config.ts': '/** Reads them. */\nconst settings = process.env\n',
  'src/main.ts': '/** Starts it. */\nimport "./app.ts"\n',
  'src/app.ts': '/** Builds it. */\nbuild()\n',
  'cli/paylink-auth.ts':
    '#!/usr/bin/env node\n/** The command line. */\nimport "../src/core.ts"\nconst env = process.env\n',
}

/** Problems after these files are planted in the tree, or removed from it (null). */
function problemsWith(planted: Readonly<Record<string, string | null>>): string[] {
  const files = Object.entries({ ...tree, ...planted }).filter((entry) => entry[1] !== null)
  return problemsIn(new Map(files as [string, string][]))
}

test('a tree that follows every rule has no problem', () => {
  assert.deepEqual(problemsWith({}), [])
})

test('reports a forbidden import', () => {
  const text = "/** Hashes. */\nimport type { Queries } from '../database/database.ts'\n"
  assert.deepEqual(problemsWith({ 'src/lib/hash.ts': text }), [
    'src/lib/hash.ts: imports src/database/database.ts: lib may not import database',
  ])
})

test('reports an endpoint that imports another endpoint', () => {
  const text = "/** The account as it is answered. */\nimport { getMe } from './get-me.ts'\n"
  assert.deepEqual(problemsWith({ 'src/api/users/user-answer.ts': text }), [
    `src/api/users/user-answer.ts: imports the endpoint ${endpointPath}`,
  ])
})

const outside: Readonly<Record<string, readonly string[]>> = {
  'the clock or a timer: only src/lib/clock.ts may': [
    'Date.now()',
    'new Date()',
    'new Date',
    'new Date( /* now */ )',
    'Date()',
    '`${Date.now()}`',
    'performance.now()',
    'process.hrtime.bigint()',
    'setTimeout(f, 1)',
    'globalThis.setInterval(f, 1)',
    'setImmediate(f)',
  ],
  'randomness: only src/lib/random.ts may': [
    'Math.random()',
    'randomBytes(8)',
    'crypto.randomUUID()',
    'crypto.getRandomValues(a)',
  ],
  'the environment: only src/config/read-config.ts and cli/paylink-auth.ts may': [
    'process.env.PORT',
    "process['env']",
    '{ const { env } = process }',
    'process.loadEnvFile()',
  ],
}

for (const [what, breaches] of Object.entries(outside)) {
  test(`reports use of ${what}`, () => {
    for (const code of breaches) {
      const problems = problemsWith({
        'src/domain/languages.ts': `/** Languages. */\nconst a = () => ${code}\n`,
      })
      assert.deepEqual(problems, [`src/domain/languages.ts: uses ${what}`], code)
    }
  })
}

test('reports a query outside of a store, in app.ts too', () => {
  const queries: Readonly<Record<string, string>> = {
    "db.selectFrom('users')": 'selectFrom',
    "db.insertInto('users')": 'insertInto',
    "db.updateTable('users')": 'updateTable',
    "db.deleteFrom('users')": 'deleteFrom',
    "db.replaceInto('users')": 'replaceInto',
    "db.mergeInto('users')": 'mergeInto',
    'db.executeQuery(query)': 'executeQuery',
    'db.kysely': 'kysely',
    'sql`delete from users`': 'sql`',
    'sql<number>`select 1`': 'sql<number>`',
    'sql.raw(text)': 'sql.',
  }
  for (const path of ['src/domain/users/claim.ts', 'src/app.ts']) {
    for (const [code, word] of Object.entries(queries)) {
      assert.deepEqual(problemsWith({ [path]: `/** What it is. */\nrun(${code})\n` }), [
        `${path}: builds a query (${word}): only stores may`,
      ])
    }
  }
})

test('reports a table that two stores query, with any verb', () => {
  const verbs = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'].map(
    (verb) => `db.${verb}('api_keys').execute()`,
  )
  for (const query of [...verbs, "deleteBatch(db, { table: 'api_keys' })"]) {
    const text = `/** The queue. */\nconst a = (db) => ${query}\n`
    assert.deepEqual(problemsWith({ 'src/domain/mails/mail-queue-store.ts': text }), [
      'src/domain/mails/mail-queue-store.ts: queries api_keys, the table of src/domain/keys/key-store.ts',
    ])
  }
})

test('reports a query whose table is not named in place', () => {
  for (const query of ['db.deleteFrom(table).execute()', 'deleteBatch(db, { table: other })']) {
    const text = `/** The queue. */\nconst a = (db, table) => ${query}\n`
    assert.deepEqual(problemsWith({ 'src/domain/mails/mail-queue-store.ts': text }), [
      'src/domain/mails/mail-queue-store.ts: a query does not name its table',
    ])
  }
})

const ofLines = (count: number) => 'a()\n'.repeat(count)

test('reports a file of 301 lines, but not one of 300, nor a longer test or style sheet', () => {
  assert.deepEqual(problemsWith({ 'src/domain/languages.ts': ofLines(300) }), [])
  assert.deepEqual(problemsWith({ 'test/mail/locale.test.ts': ofLines(301) }), [])
  assert.deepEqual(problemsWith({ 'web/src/style.css': ofLines(301) }), [])
  assert.deepEqual(problemsWith({ 'src/domain/languages.ts': ofLines(301) }), [
    'src/domain/languages.ts: has 301 lines, more than 300: split it by subject',
  ])
})

test('reports a name that is meaningless or not in kebab-case, except the tests’ service.ts', () => {
  const text = '/** What it is. */\n'
  const names: Readonly<Record<string, string>> = {
    'src/mail/sendQueue.ts': 'its name is not in kebab-case',
    'src/mail/send_queue.css': 'its name is not in kebab-case',
    'src/mail/send.queue.ts': 'its name is not in kebab-case',
    'web/src/pages/signIn.words.ts': 'its name is not in kebab-case',
    'web/src/pages/sign-in.Words.ts': 'its name is not in kebab-case',
    'web/src/types.ts': '"types" in its name is meaningless',
    'src/mail/utils.ts': '"utils" in its name is meaningless',
    'src/mail/mail-helpers.ts': '"helpers" in its name is meaningless',
    'src/mail/types/mail.ts': '"types" in its name is meaningless',
    'src/domain/keys/key-manager.ts': '"manager" in its name is meaningless',
    'src/domain/keys/service.ts': '"service" in its name is meaningless',
  }
  for (const [path, problem] of Object.entries(names)) {
    assert.deepEqual(problemsWith({ [path]: text }), [`${path}: ${problem}`])
  }
  const fine = [
    'test/support/service.ts',
    'web/src/pages/sign-in.words.ts',
    'src/database/migrations/0001-a.ts',
    'test/mail/locale.words.test.ts',
  ]
  for (const path of fine) assert.deepEqual(problemsWith({ [path]: text }), [], path)
})

test('reports an endpoint file with no operation, or two', () => {
  const twice = endpoint.replace("'getMe' }", "'getMe' }, other: { operationId: 'other' }")
  const never = endpoint.replace("operationId: 'getMe'", '')
  assert.deepEqual(problemsWith({ [endpointPath]: twice }), [
    `${endpointPath}: has 2 operations: one endpoint, one file`,
  ])
  assert.deepEqual(problemsWith({ [endpointPath]: never }), [
    `${endpointPath}: has 0 operations: one endpoint, one file`,
  ])
})

test('reports an endpoint without a test of the same path', () => {
  assert.deepEqual(problemsWith({ 'test/api/users/get-me.test.ts': null }), [
    `${endpointPath}: has no test test/api/users/get-me.test.ts`,
  ])
})

test('reports an endpoint that throws an undeclared error', () => {
  const unlisted = endpoint.replace("errors: ['NOT_FOUND']", "errors: ['EMAIL_TAKEN']")
  assert.deepEqual(problemsWith({ [endpointPath]: unlisted }), [
    `${endpointPath}: throws NOT_FOUND, which its config does not declare`,
  ])
})

test('a database that is opened without syncs is a problem, in SQL of any file', () => {
  for (const setting of ['= OFF', '=0', '= off']) {
    assert.deepEqual(problemsWith({ 'scripts/fill.ts': `file.exec('PRAGMA synchronous ${setting}')\n` }), [
      'scripts/fill.ts: opens a database without syncs',
    ])
  }
  assert.deepEqual(problemsWith({ 'scripts/fill.ts': "query('set synchronous_commit = off')\n" }), [])
})
