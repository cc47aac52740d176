/** The arrows between the parts of the tree: each that is allowed passes, each other is a breach. */
import assert from 'node:assert/strict'
import { posix } from 'node:path'
import test from 'node:test'
import { importProblems } from '../../scripts/check-imports.ts'
import { readSource } from '../../scripts/source-code.ts'

const endpoint = 'src/features/users/get-me.ts'

function problemsOf(path: string, text: string): string[] {
  return importProblems(readSource(path, text), (other) => other === endpoint)
}

function specifier(from: string, to: string): string {
  const relative = posix.relative(posix.dirname(from), to)
  return relative.startsWith('.') ? relative : `./${relative}`
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/lib/hash.ts': ['src/lib/clock.ts'],
  'src/database/sqlite/sqlite-database.ts': ['src/database/database.ts', 'src/database/migrations/0001-accounts.ts', 'src/lib/clock.ts'],
  'src/config.ts': ['src/lib/log.ts'],
  'src/load-config.ts': ['src/config.ts', 'src/lib/hash.ts'],
  'src/http/access.ts': ['src/http/vary.ts', 'src/lib/clock.ts', 'src/config.ts', 'src/deps.ts', 'src/errors.ts'],
  'src/mail/mail-store.ts': ['src/mail/locale.ts', 'src/database/database.ts', 'src/lib/clock.ts', 'src/deps.ts'],
  'src/accounts/claim.ts': ['src/accounts/user-store.ts', 'src/database/database.ts', 'src/lib/hash.ts', 'src/errors.ts'],
  'src/features/users/update-me.ts': [
    'src/features/users/user.ts',
    'src/accounts/claim.ts',
    'src/mail/locale.ts',
    'src/http/input.ts',
    'src/database/database.ts',
    'src/lib/hash.ts',
    'src/errors.ts',
  ],
  'src/dev/mailbox.ts': ['src/http/endpoint.ts', 'src/mail/templates.ts', 'src/lib/clock.ts', 'src/errors.ts'],
  'src/app.ts': [endpoint, 'src/accounts/claim.ts', 'src/database/sqlite/sqlite-database.ts', 'src/http/server.ts', 'src/deps.ts'],
  'src/main.ts': ['src/app.ts', 'src/load-config.ts', 'src/dev/mailbox.ts', 'src/database/sqlite/sqlite-database.ts'],
  'cli/paylink-auth.ts': ['src/main.ts', 'src/version.ts', 'src/config.ts', 'src/load-config.ts', 'src/features/api-keys/key-limit.ts'],
  'scripts/generate.ts': ['src/app.ts', 'scripts/source-code.ts'],
  'test/app.test.ts': ['src/app.ts', 'test/support/service.ts', 'scripts/source-code.ts', endpoint],
  'sdk/client.ts': ['sdk/answers.ts'],
}

const forbidden: Readonly<Record<string, readonly string[]>> = {
  'src/lib/hash.ts': ['src/database/database.ts', 'src/config.ts', 'src/errors.ts', 'src/http/input.ts'],
  'src/database/sqlite/sqlite-database.ts': ['src/config.ts', 'src/deps.ts', 'src/accounts/claim.ts', 'src/http/input.ts'],
  'src/config.ts': ['src/load-config.ts', 'src/database/database.ts', 'src/http/input.ts'],
  'src/load-config.ts': ['src/database/database.ts', 'src/main.ts'],
  'src/http/access.ts': ['src/database/database.ts', 'src/accounts/claim.ts', 'src/mail/locale.ts', 'src/load-config.ts', 'src/app.ts'],
  'src/mail/mail-store.ts': ['src/accounts/claim.ts', 'src/http/input.ts', endpoint, 'src/load-config.ts'],
  'src/accounts/claim.ts': ['src/mail/locale.ts', 'src/http/input.ts', endpoint, 'src/app.ts'],
  'src/features/users/update-me.ts': [
    'src/features/api-keys/key-limit.ts',
    'src/dev/mailbox.ts',
    'src/app.ts',
    'src/main.ts',
    'src/load-config.ts',
    'test/support/service.ts',
    'scripts/source-code.ts',
  ],
  'src/dev/mailbox.ts': [endpoint, 'src/accounts/claim.ts', 'src/database/database.ts', 'src/app.ts'],
  'src/app.ts': ['src/main.ts', 'cli/paylink-auth.ts', 'test/support/service.ts'],
  'src/main.ts': ['cli/paylink-auth.ts', 'scripts/generate.ts'],
  'cli/paylink-auth.ts': ['src/http/input.ts', 'src/mail/mail-store.ts', endpoint],
  'scripts/generate.ts': ['src/main.ts', 'test/support/service.ts'],
  'test/app.test.ts': ['src/main.ts', 'cli/paylink-auth.ts'],
  'sdk/client.ts': ['src/errors.ts', 'src/lib/clock.ts'],
  'web/sign-in.ts': ['src/errors.ts', 'sdk/client.ts'],
}

for (const [path, targets] of Object.entries(allowed)) {
  test(`${path} may import what is below it`, () => {
    const text = targets.map((to) => `import { a } from '${specifier(path, to)}'\n`).join('')
    assert.deepEqual(problemsOf(path, text), [])
  })
}

for (const [path, targets] of Object.entries(forbidden)) {
  test(`${path} may import nothing above or beside it, its types neither`, () => {
    for (const to of targets) {
      for (const form of ['import { a } from', 'import type { A } from', 'export * from', 'import']) {
        const problems = problemsOf(path, `${form} '${specifier(path, to)}'\n`)
        assert.equal(problems.length, 1, `${form} ${to}`)
        assert.match(problems.join(), new RegExp(`^imports ${RegExp.escape(to)}: `))
      }
    }
  })
}

test('deps.ts may import types of what it hands out, nothing that runs, and nothing above', () => {
  const types = "import type { A } from './accounts/claim.ts'\nimport type { B } from './mail/locale.ts'\n"
  assert.deepEqual(problemsOf('src/deps.ts', types), [])
  assert.deepEqual(problemsOf('src/deps.ts', "import { a } from './lib/clock.ts'\n"), [
    'imports src/lib/clock.ts, and not only its types',
  ])
  assert.deepEqual(problemsOf('src/deps.ts', "import type { A } from './app.ts'\n"), ['imports src/app.ts'])
})

test('an endpoint is imported by app.ts only, not by its neighbours', () => {
  assert.deepEqual(problemsOf('src/features/users/user.ts', "import { getMe } from './get-me.ts'\n"), [
    `imports the endpoint ${endpoint}`,
  ])
})

test('a folder that no rule knows is a breach itself', () => {
  assert.deepEqual(problemsOf('src/shared/thing.ts', ''), [
    'belongs to no part of the tree that there is a rule for',
  ])
})

test('what is imported must be known before anything runs', () => {
  assert.deepEqual(problemsOf('src/app.ts', 'await import(`./features/${name}.ts`)\n'), [
    'imports what is known only when it runs',
  ])
})

test('packages that the clock, randomness and main stand for are imported nowhere else', () => {
  assert.deepEqual(problemsOf('src/lib/random.ts', "import { v7 } from 'uuid'\n"), [])
  assert.deepEqual(problemsOf('test/support/process.ts', "import { spawn } from 'node:child_process'\n"), [])
  const breaches: Readonly<Record<string, string>> = {
    uuid: 'imports uuid: only src/lib/random.ts may',
    'node:timers/promises': 'imports timers/promises: only src/lib/clock.ts may',
    timers: 'imports timers: only src/lib/clock.ts may',
    'node:process': 'imports process: nobody may',
    'node:child_process': 'imports child_process: nobody may',
    child_process: 'imports child_process: nobody may',
  }
  for (const [name, problem] of Object.entries(breaches)) {
    assert.deepEqual(problemsOf('src/http/access.ts', `import { a } from '${name}'\n`), [problem])
  }
})

test('the client runs on openapi-fetch alone; of frameworks it knows the types', () => {
  assert.deepEqual(problemsOf('sdk/src/client.ts', "import createCore from 'openapi-fetch'\n"), [])
  assert.deepEqual(problemsOf('sdk/src/hono.ts', "import type { MiddlewareHandler } from 'hono'\n"), [])
  for (const name of ['hono', 'node:util', 'undici']) {
    const problem = `imports ${name.replace('node:', '')}: the client runs on openapi-fetch alone`
    assert.deepEqual(problemsOf('sdk/src/hono.ts', `import { a } from '${name}'\n`), [problem])
  }
})
