import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readOrCreateSecret } from '../../src/lib/process/data-folder.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { ConfigError, loadConfig } from '../../src/config/load-config.ts'
import { temporaryFolder } from '../support/files.ts'

type Environment = Record<string, string>

const secret = 'a-test-secret-of-more-than-thirty-two-bytes'
const otherSecret = 'another-test-secret-also-of-more-than-32-bytes'

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

describe('a setting from a file', () => {
  let folder: ReturnType<typeof temporaryFolder>
  before(() => (folder = temporaryFolder()))
  after(() => folder.remove())
  const fileWith = (content: string) => {
    const path = join(folder.path, systemRandom.uuid())
    writeFileSync(path, content)
    return path
  }

  test('every secret can come from a file; surrounding white space is removed', () => {
    const config = loadConfig(
      {
        JWT_SECRET_FILE: fileWith(`${secret}\n`),
        JWT_SECRET_VERIFY_FILE: fileWith(` ${otherSecret}\n\n`),
        SMTP_URL_FILE: fileWith('smtp://user:pass@127.0.0.1:2525\n'),
        METRICS_TOKEN_FILE: fileWith('0123456789abcdef0123456789abcdef\n'),
      },
      () => assert.fail('no secret may be generated'),
    )
    assert.equal(config.jwtSecret, secret)
    assert.deepEqual(config.jwtSecretVerify, [otherSecret])
    assert.equal(config.smtpUrl?.password, 'pass')
    assert.equal(config.metricsToken, '0123456789abcdef0123456789abcdef')
  })

  test('a setting that is not a secret cannot come from a file', () => {
    const environment = { JWT_SECRET: secret, PORT_FILE: fileWith('8080') }
    assert.equal(loadConfig(environment, () => assert.fail('no secret may be generated')).port, 3000)
  })

  test('a setting and its file together are a problem, because the choice would be ambiguous', () => {
    const problems = problemsOf({ JWT_SECRET: secret, JWT_SECRET_FILE: fileWith(otherSecret) })
    assert.deepEqual(problems, ['JWT_SECRET and JWT_SECRET_FILE are both set: remove one'])
  })

  test('an unreadable file or a folder is a problem; its path is not shown', () => {
    const secretFolder = join(folder.path, 'QZXJ')
    mkdirSync(secretFolder)
    for (const path of [join(folder.path, 'QZXJ-missing'), secretFolder]) {
      const problems = problemsOf({ JWT_SECRET_FILE: path })
      assert.deepEqual(problems, ['JWT_SECRET cannot be read from the file that JWT_SECRET_FILE names'])
    }
  })

  test('the content of the file is validated like the setting', () => {
    const problems = problemsOf({ JWT_SECRET_FILE: fileWith('short') })
    assert.deepEqual(problems, ['JWT_SECRET must be at least 32 bytes long'])
  })

  // Otherwise production would run with a generated secret, or with a mailbox page on every interface.
  for (const name of ['JWT_SECRET', 'SMTP_URL', 'PUBLIC_URL']) {
    test(`an empty file for ${name} counts as unset: production refuses to start [J4, GHSA-gmvf-9v4p-v8jc]`, () => {
      const production = {
        NODE_ENV: 'production',
        JWT_SECRET: secret,
        PUBLIC_URL: 'https://auth.example.com',
        SMTP_URL: 'smtps://mail.example.com',
      }
      const problems = problemsOf({ ...production, [name]: '', [`${name}_FILE`]: fileWith('\n') })
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', new RegExp(`^${name} is required in production`))
    })
  }
})

test('a stored secret that was emptied or typed by hand is a problem, and is not shown [J4, GHSA-gmvf-9v4p-v8jc]', () => {
  const folder = temporaryFolder()
  for (const kept of ['', 'QZXJVWK', 'x'.repeat(40)]) {
    writeFileSync(join(folder.path, 'jwt-secret'), kept)
    assert.throws(
      () => loadConfig({ DATA_DIR: folder.path }, (dataDir) => readOrCreateSecret(dataDir, systemRandom)),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, /^JWT_SECRET is not set, and the secret stored in DATA_DIR must be/)
        assert.doesNotMatch(error.message, /QZXJVWK|xxx/)
        return true
      },
    )
  }
  folder.remove()
})
