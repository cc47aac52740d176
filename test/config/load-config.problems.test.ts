import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import type { Config } from '../../src/config/settings.ts'
import { ConfigError, loadConfig } from '../../src/config/load-config.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'

type Environment = Record<string, string>

const secret = 'a-test-secret-of-more-than-thirty-two-bytes'
const production: Environment = {
  NODE_ENV: 'production',
  JWT_SECRET: secret,
  PUBLIC_URL: 'https://auth.example.com',
  SMTP_URL: 'smtps://user:pass@mail.example.com:465',
}

/** Generating a secret is an error. */
function load(environment: Environment): Config {
  return loadConfig(environment, () => assert.fail('no secret may be generated'))
}

function problemsOf(environment: Environment): readonly string[] {
  let problems: readonly string[] | undefined
  assert.throws(
    () => loadConfig(environment, () => assert.fail('no secret is generated when something is wrong')),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.message, error.problems.join('\n'))
      problems = error.problems
      return true
    },
  )
  return problems ?? []
}

/** The names of the settings in these problems. */
const namesIn = (problems: readonly string[]) => problems.map((problem) => problem.split(' ')[0])

describe('production refuses to start', () => {
  const without = (name: string) => ({ ...production, [name]: '' })
  const refusals: Readonly<Record<string, readonly [environment: Environment, problem: RegExp]>> = {
    'without JWT_SECRET': [without('JWT_SECRET'), /^JWT_SECRET is required in production/],
    'without PUBLIC_URL': [without('PUBLIC_URL'), /^PUBLIC_URL is required in production$/],
    'with PUBLIC_URL in plain http': [
      { ...production, PUBLIC_URL: 'http://auth.example.com' },
      /^PUBLIC_URL must be an https URL in production$/,
    ],
    'with APP_URL in plain http': [
      { ...production, APP_URL: 'http://app.example.com' },
      /^APP_URL must be an https URL in production$/,
    ],
    'with certificate checks disabled': [
      { ...production, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      /^NODE_TLS_REJECT_UNAUTHORIZED=0 /,
    ],
    'without SMTP_URL': [without('SMTP_URL'), /^SMTP_URL is required in production$/],
  }
  for (const [why, [environment, problem]] of Object.entries(refusals)) {
    test(why, () => {
      const problems = problemsOf(environment)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', problem)
    })
  }

  test('with no settings, and lists all that are missing', () => {
    const problems = problemsOf({ NODE_ENV: 'production' })
    assert.deepEqual(namesIn(problems), ['JWT_SECRET', 'PUBLIC_URL', 'SMTP_URL'])
  })

  test('unless all of them are set', () => assert.equal(load(production).isProduction, true))
})

describe('development on a non-loopback interface', () => {
  test('is refused without SMTP_URL, with both remedies in the message', () => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.evil.example']) {
      const problems = problemsOf({ HOST })
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', /SMTP_URL/)
      assert.match(problems[0] ?? '', /HOST=127\.0\.0\.1/)
    }
  })

  test('is refused with a public PUBLIC_URL or APP_URL, even when it listens on loopback', () => {
    for (const name of ['PUBLIC_URL', 'APP_URL']) {
      for (const host of [
        'auth.example.com',
        'auth.example.com:3000',
        '192.0.2.1',
        '[2001:db8::1]',
        'localhost.evil.example',
        '127.0.0.1.nip.io',
        '0.0.0.0',
      ]) {
        for (const scheme of ['http', 'https']) {
          const problems = problemsOf({ [name]: `${scheme}://${host}` })
          assert.equal(problems.length, 1, problems.join('\n'))
          assert.match(
            problems[0] ?? '',
            new RegExp(`^${name} is not loopback.*SMTP_URL.*NODE_ENV=production.*localhost`),
          )
        }
      }
      for (const host of ['localhost:5173', '127.0.0.1:5173', '[::1]']) {
        assert.equal(load({ JWT_SECRET: secret, [name]: `http://${host}` }).hasDevelopmentPages, true, host)
      }
    }
    assert.deepEqual(
      namesIn(problemsOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example', APP_URL: 'https://b.example' })),
      ['HOST', 'PUBLIC_URL', 'APP_URL'],
    )
  })

  test('starts with SMTP_URL, without development pages', () => {
    const config = load({ JWT_SECRET: secret, HOST: '0.0.0.0', SMTP_URL: 'smtp://127.0.0.1:25' })
    assert.equal(config.hasDevelopmentPages, false)
  })
})

describe('a guessable secret', () => {
  const guessable = [
    'short',
    'x'.repeat(31),
    'x'.repeat(64),
    '0'.repeat(128),
    'changeme'.repeat(8),
    'ab'.repeat(20),
    'a-string-secret-at-least-256-bits-long',
    '0123456789abcdef0123456789abcdef',
    'your-256-bit-secret-your-256-bit-secret',
    '12345678901234567890123456789012',
  ]

  test('is refused for signing and for verifying, in development and in production [J4]', () => {
    for (const guess of guessable) {
      const asVerifying = { JWT_SECRET: secret, JWT_SECRET_VERIFY: `${guess} another-test-secret-of-32-bytes-or-more` }
      for (const environment of [{ JWT_SECRET: guess }, asVerifying]) {
        for (const mode of [{}, production]) {
          const problems = problemsOf({ ...mode, ...environment })
          assert.equal(problems.length, 1, problems.join('\n'))
          assert.match(problems[0] ?? '', /^JWT_SECRET(?:_VERIFY)? must be (?:at least 32 bytes long|random)/)
        }
      }
    }
  })
})

describe('two secrets with the same key id', () => {
  const other = 'another-test-secret-also-of-more-than-32-bytes'
  const problem = /^JWT_SECRET and JWT_SECRET_VERIFY contain two secrets with the same key id/

  test('prevent the start if one signs and one verifies', () => {
    const problems = problemsOf({ JWT_SECRET: secret, JWT_SECRET_VERIFY: `${other} ${secret}` })
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', problem)
  })

  test('prevent the start if both verify', () => {
    const problems = problemsOf({ JWT_SECRET: secret, JWT_SECRET_VERIFY: `${other} ${other}` })
    assert.match(problems.join(), problem)
  })

  test('are not reported for different secrets', () => {
    assert.deepEqual(load({ JWT_SECRET: secret, JWT_SECRET_VERIFY: other }).jwtSecretVerify, [other])
  })
})

test('events must be kept as long as the undoing of a theft reads them', () => {
  assert.match(problemsOf({ EVENTS_KEEP_DAYS: '29' }).join(), /^EVENTS_KEEP_DAYS must be .*30/)
  assert.equal(load({ JWT_SECRET: secret, EVENTS_KEEP_DAYS: '30' }).eventsKeepDays, 30)
})

describe('problems', () => {
  // Each value is invalid for its setting, and none may be shown.
  const marker = 'QZXJVWK'
  const allWrong: Environment = {
    NODE_ENV: marker,
    PORT: `80${marker}`,
    PUBLIC_URL: `https://u:${marker}@auth.example.com`,
    APP_URL: `javascript:${marker}`,
    DATABASE_URL: `mysql://u:${marker}@db.example.com/x`,
    JWT_SECRET: marker,
    JWT_SECRET_VERIFY: `${marker} ${secret}`,
    SMTP_URL: `https://u:${marker}@mail.example.com`,
    MAIL_FROM: `${marker} <x@example.com>`,
    SIGNUP: marker,
    TRUST_PROXY: `10.0.0.1,${marker}`,
    LOG_LEVEL: marker,
    RATE_LIMITS: marker,
    ...Object.fromEntries(
      Object.values(settings)
        .filter(({ name }) => name.startsWith('RATE_LIMIT_'))
        .map(({ name }) => [name, `5/${marker}`]),
    ),
  }

  test('are all reported at once, one for each invalid setting', () => {
    const wrong = Object.values(settings).filter(({ name }) => name in allWrong)
    assert.deepEqual(
      namesIn(problemsOf(allWrong)),
      wrong.map(({ name }) => name),
    )
  })

  test('include a byte order mark before the first name of a file, which would hide NODE_ENV=production', () => {
    for (const name of ['NODE_ENV', 'DATABASE_URL'])
      assert.deepEqual(problemsOf({ [`\uFEFF${name}`]: 'production' }), [
        `${name} has an invisible byte order mark (U+FEFF) before it: save its file without one`,
      ])
  })

  test('never show a value', () => {
    const { NODE_ENV: _, ...others } = allWrong
    const inProduction = { ...others, NODE_ENV: 'production' }
    for (const environment of [allWrong, inProduction, { ...others, HOST: marker }]) {
      for (const problem of problemsOf(environment)) {
        assert.doesNotMatch(problem, new RegExp(marker, 'i'))
        assert.doesNotMatch(problem, /test secret|db\.example|mail\.example|x@/)
      }
    }
  })

  test('of one setting are found whatever else is valid', () => {
    for (const [name, value] of Object.entries(allWrong)) {
      assert.match(problemsOf({ JWT_SECRET: secret, [name]: value }).join('\n'), new RegExp(`^${name} `))
    }
  })

  test('include a PORT that is not a whole number from 1 to 65535', () => {
    for (const PORT of ['1', '65535']) assert.equal(load({ JWT_SECRET: secret, PORT }).port, Number(PORT))
    for (const PORT of ['0', '65536', '-1', '3000.5', '3e3', '0x50', ' 80']) {
      assert.deepEqual(problemsOf({ PORT }), ['PORT must be a whole number from 1 to 65535'], PORT)
    }
  })

  test('end the process with 78 before it creates anything, and fit on one screen [J4, F40]', async () => {
    const folder = temporaryFolder()
    const JWT_SECRET = 'x'.repeat(64)
    const env = {
      ...allWrong,
      JWT_SECRET,
      JWT_SECRET_VERIFY: '',
      DATA_DIR: join(folder.path, 'data'),
      NODE_ENV: 'production',
    }
    const { code, output } = await runCli(['serve'], { cwd: folder.path, env }).exited
    const made = readdirSync(folder.path)
    folder.remove()
    assert.equal(code, 78)
    for (const name of Object.keys(env)) {
      if (!['NODE_ENV', 'DATA_DIR', 'JWT_SECRET_VERIFY'].includes(name))
        assert.match(output, new RegExp(`^  ${name} `, 'm'))
    }
    assert.match(output, /^ *JWT_SECRET must be random: openssl rand -base64 48$/m)
    assert.doesNotMatch(output, new RegExp(`${marker}|${JWT_SECRET}|^\\s+at `, 'im'))
    assert.deepEqual(made, [])
  })
})
