import assert from 'node:assert/strict'
import { posix } from 'node:path'
import test from 'node:test'
import { importProblems } from '../../scripts/check-imports.ts'
import { readSource } from '../../scripts/source-code.ts'

const endpoint = 'src/api/users/get-me.ts'

function problemsOf(path: string, text: string): string[] {
  return importProblems(readSource(path, text), (other) => other === endpoint)
}

function specifier(from: string, to: string): string {
  const relative = posix.relative(posix.dirname(from), to)
  return relative.startsWith('.') ? relative : `./${relative}`
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/lib/hash.ts': ['src/lib/clock.ts'],
  'src/config/settings.ts': ['src/config/parsers.ts', 'src/lib/log.ts'],
  'src/database/open.ts': [
    'src/database/database.ts',
    'src/database/migrations/0001-accounts.ts',
    'src/lib/clock.ts',
    'src/config/parsers.ts',
  ],
  'src/domain/users/claim.ts': [
    'src/domain/users/user-store.ts',
    'src/domain/keys/key-store.ts',
    'src/domain/deps.ts',
    'src/database/database.ts',
    'src/config/settings.ts',
    'src/lib/hash.ts',
    'src/errors.ts',
  ],
  'src/mail/queue/send-queue.ts': [
    'src/mail/mail-buttons.ts',
    'src/domain/mails/mail-queue-store.ts',
    'src/database/database.ts',
    'src/config/settings.ts',
  ],
  'src/restore/make-safe.ts': ['src/restore/take-over.ts', 'src/domain/users/claim.ts', 'src/database/pages.ts'],
  'src/http/guard.ts': [
    'src/http/negotiation/vary.ts',
    'src/lib/clock.ts',
    'src/config/settings.ts',
    'src/domain/sign-in/authority.ts',
    'src/errors.ts',
  ],
  'src/api/event-answer.ts': ['src/domain/events/event-store.ts', 'src/http/input.ts'],
  'src/api/users/update-me.ts': [
    'src/api/users/user-answer.ts',
    'src/api/event-answer.ts',
    'src/domain/users/claim.ts',
    'src/http/input.ts',
    'src/database/database.ts',
    'src/lib/hash.ts',
    'src/errors.ts',
  ],
  'src/dev/mailbox.ts': [
    'src/http/endpoint.ts',
    'src/mail/templates/render-mail.ts',
    'src/lib/clock.ts',
    'src/errors.ts',
  ],
  'src/core.ts': ['src/domain/deps.ts', 'src/database/open.ts', 'src/config/settings.ts'],
  'src/runtime.ts': [
    'src/core.ts',
    'src/mail/composers.ts',
    'src/http/rate-limit/rate-limits.ts',
    'src/domain/upkeep.ts',
    'src/database/open.ts',
  ],
  'src/app.ts': [
    endpoint,
    'src/domain/users/claim.ts',
    'src/http/server/server.ts',
    'src/mail/queue/mail-budget.ts',
    'src/http/deps.ts',
  ],
  'src/main.ts': ['src/app.ts', 'src/core.ts', 'src/runtime.ts', 'src/config/read-config.ts', 'src/dev/mailbox.ts'],
  'cli/commands.ts': ['src/main.ts', 'cli/commands/keys.ts'],
  'cli/commands/keys.ts': [
    'src/core.ts',
    'src/lib/process/version.ts',
    'src/config/settings.ts',
    'src/domain/keys/key-limit.ts',
    'src/restore/make-safe.ts',
    'src/mail/smtp-transport.ts',
  ],
  'scripts/generate.ts': ['src/app.ts', 'src/runtime.ts', 'scripts/source-code.ts'],
  'test/app.test.ts': [
    'src/app.ts',
    'src/core.ts',
    'src/runtime.ts',
    'test/support/service.ts',
    'scripts/source-code.ts',
    endpoint,
  ],
  'sdk/client.ts': ['sdk/answers.ts', 'sdk/src/generated/openapi.ts'],
  'web/sign-in.ts': ['web/api.ts', 'sdk/src/generated/openapi.ts'],
}

const forbidden: Readonly<Record<string, readonly string[]>> = {
  'src/lib/hash.ts': ['src/database/database.ts', 'src/config/settings.ts', 'src/errors.ts', 'src/http/input.ts'],
  'src/config/settings.ts': ['src/database/database.ts', 'src/domain/deps.ts', 'src/http/input.ts', 'src/main.ts'],
  'src/database/open.ts': [
    'src/domain/deps.ts',
    'src/domain/users/claim.ts',
    'src/http/input.ts',
    'src/restore/make-safe.ts',
  ],
  'src/domain/users/claim.ts': [
    'src/mail/mail-buttons.ts',
    'src/http/input.ts',
    'src/http/deps.ts',
    'src/restore/make-safe.ts',
    endpoint,
    'src/app.ts',
  ],
  'src/mail/queue/send-queue.ts': ['src/http/deps.ts', 'src/restore/make-safe.ts', endpoint, 'src/runtime.ts'],
  'src/restore/make-safe.ts': ['src/mail/mail-buttons.ts', 'src/http/input.ts', endpoint, 'src/runtime.ts'],
  'src/http/guard.ts': ['src/database/database.ts', 'src/mail/mail-buttons.ts', endpoint, 'src/app.ts'],
  'src/api/event-answer.ts': [endpoint, 'src/mail/mail-buttons.ts'],
  'src/api/users/update-me.ts': [
    'src/api/api-keys/key-limit.ts',
    'src/mail/mail-buttons.ts',
    'src/dev/mailbox.ts',
    'src/app.ts',
    'src/runtime.ts',
    'src/main.ts',
    'test/support/service.ts',
    'scripts/source-code.ts',
  ],
  'src/dev/mailbox.ts': [endpoint, 'src/domain/users/claim.ts', 'src/database/database.ts', 'src/app.ts'],
  'src/core.ts': ['src/runtime.ts', 'src/mail/composers.ts', 'src/http/deps.ts', 'src/app.ts', endpoint],
  'src/runtime.ts': ['src/app.ts', 'src/main.ts', endpoint, 'src/dev/mailbox.ts'],
  'src/app.ts': ['src/runtime.ts', 'src/main.ts', 'cli/paylink-auth.ts', 'test/support/service.ts'],
  'src/main.ts': ['cli/paylink-auth.ts', 'scripts/generate.ts', 'src/restore/make-safe.ts'],
  'cli/commands/keys.ts': [
    'src/main.ts',
    'src/app.ts',
    'src/runtime.ts',
    'src/http/input.ts',
    'src/api/event-answer.ts',
    endpoint,
  ],
  'scripts/generate.ts': ['src/main.ts', 'test/support/service.ts'],
  'test/app.test.ts': ['src/main.ts', 'cli/paylink-auth.ts'],
  'sdk/client.ts': ['src/errors.ts', 'src/lib/clock.ts'],
  'web/sign-in.ts': ['src/errors.ts', 'sdk/client.ts', 'sdk/src/generated/error-classes.ts'],
}

for (const [path, targets] of Object.entries(allowed)) {
  test(`${path} may import lower parts`, () => {
    const text = targets.map((to) => `import { a } from '${specifier(path, to)}'\n`).join('')
    assert.deepEqual(problemsOf(path, text), [])
  })
}

for (const [path, targets] of Object.entries(forbidden)) {
  test(`${path} may not import higher or neighbouring parts, not even types`, () => {
    for (const to of targets) {
      for (const form of ['import { a } from', 'import type { A } from', 'export * from', 'import']) {
        const problems = problemsOf(path, `${form} '${specifier(path, to)}'\n`)
        assert.equal(problems.length, 1, `${form} ${to}`)
        assert.match(problems.join(), new RegExp(`^imports ${RegExp.escape(to)}: `))
      }
    }
  })
}

test('below the endpoints, and in the command line, HTTP packages are not imported, not even their types', () => {
  for (const [path, part] of [
    ['src/domain/users/claim.ts', 'domain'],
    ['src/mail/mail-buttons.ts', 'mail'],
    ['src/core.ts', 'core'],
    ['src/runtime.ts', 'runtime'],
    ['cli/commands/keys.ts', 'cli'],
  ] as const) {
    for (const name of ['fastify', '@fastify/cors', 'node:http', 'negotiator']) {
      const problem = `imports ${name.replace('node:', '')}: ${part} must not depend on HTTP`
      assert.deepEqual(problemsOf(path, `import type { A } from '${name}'\n`), [problem])
    }
  }
  assert.deepEqual(problemsOf('src/http/guard.ts', "import type { A } from 'fastify'\n"), [])
})

test('only app.ts imports an endpoint, not its neighbours', () => {
  assert.deepEqual(problemsOf('src/api/users/user-answer.ts', "import { getMe } from './get-me.ts'\n"), [
    `imports the endpoint ${endpoint}`,
  ])
})

test('a folder without a rule is reported', () => {
  assert.deepEqual(problemsOf('src/shared/thing.ts', ''), [
    'has no import rule: add its part to scripts/check-imports.ts',
  ])
})

test('an import with a computed name is reported', () => {
  assert.deepEqual(problemsOf('src/app.ts', 'await import(`./api/${name}.ts`)\n'), [
    'imports a module whose name is computed at run time',
  ])
})

test('packages restricted to one file are imported nowhere else', () => {
  assert.deepEqual(problemsOf('src/lib/random.ts', "import { v7 } from 'uuid'\n"), [])
  assert.deepEqual(problemsOf('test/support/process/process.ts', "import { spawn } from 'node:child_process'\n"), [])
  const breaches: Readonly<Record<string, string>> = {
    uuid: 'imports uuid: only src/lib/random.ts may',
    'node:timers/promises': 'imports timers/promises: only src/lib/clock.ts may',
    timers: 'imports timers: only src/lib/clock.ts may',
    'node:process': 'imports process: no file may',
    'node:child_process': 'imports child_process: no file may',
    child_process: 'imports child_process: no file may',
  }
  for (const [name, problem] of Object.entries(breaches)) {
    assert.deepEqual(problemsOf('src/http/access.ts', `import { a } from '${name}'\n`), [problem])
  }
})

test('the client depends on openapi-fetch only; of frameworks it imports types', () => {
  assert.deepEqual(problemsOf('sdk/src/client.ts', "import createCore from 'openapi-fetch'\n"), [])
  assert.deepEqual(problemsOf('sdk/src/hono.ts', "import type { MiddlewareHandler } from 'hono'\n"), [])
  for (const name of ['hono', 'node:util', 'undici']) {
    const problem = `imports ${name.replace('node:', '')}: the client may only depend on openapi-fetch`
    assert.deepEqual(problemsOf('sdk/src/hono.ts', `import { a } from '${name}'\n`), [problem])
  }
})
