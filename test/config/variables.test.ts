import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError, loadConfig } from '../../src/config/load-config.ts'
import { nearestSetting, variables } from '../../src/config/variables.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
const load = (environment: Record<string, string>) =>
  loadConfig({ JWT_SECRET, ...environment }, () => assert.fail('no secret may be generated'))

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    load(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return assert.fail('the settings were accepted')
}

describe('a misspelt setting', () => {
  test('is warned about by name with the nearest real one, without its value', () => {
    const misspelt: Record<string, string> = {
      JWT_SECRT: 'JWT_SECRET',
      SMTP_URI: 'SMTP_URL',
      DATABSE_URL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      DATABASE_URL_FLIE: 'DATABASE_URL_FILE',
      LOGLEVEL: 'LOG_LEVEL',
      MAIL_FORM: 'MAIL_FROM',
      GOOGLE_CLIENT_SECERT: 'GOOGLE_CLIENT_SECRET',
    }
    const values = Object.fromEntries(Object.keys(misspelt).map((name) => [name, 'heron']))
    assert.deepEqual(
      load(values).warnings,
      Object.entries(misspelt).map(([name, meant]) => `${name} is not a setting: did you mean ${meant}?`),
    )
  })

  test('is named beside the setting that is missing because of it', () => {
    const environment = { NODE_ENV: 'production', PUBLIC_URL: 'https://auth.example.com', SMTP_URI: 'smtp://heron' }
    assert.deepEqual(problemsOf(environment), [
      'SMTP_URL is required in production',
      'SMTP_URI is not a setting: did you mean SMTP_URL?',
    ])
  })

  test('is not suspected in variables of other programs, nor in real or empty ones', () => {
    const foreign =
      'HOME PATH PWD POST USER LANG TERM SHELL HOSTNAME LOGNAME TMPDIR EDITOR NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS ' +
      'PGHOST PGPORT PGDATABASE PGPASSFILE API_URL BASE_URL REDIS_URL AMQP_URL HTTP_PROXY NO_PROXY SMTP_HOST SMTP_PORT ' +
      'POSTGRES_URL POSTGRES_USER DATABASE_HOST DATABASE_NAME JWT_ISSUER GOOGLE_API_KEY KUBERNETES_PORT INVOCATION_ID ' +
      'PAYLINK_AUTH_SERVICE_HOST JOURNAL_STREAM npm_config_port http_proxy host port'
    for (const name of foreign.split(' ')) assert.equal(nearestSetting(name), undefined, name)
    for (const name of variables) assert.equal(nearestSetting(name), undefined, name)
    assert.deepEqual(load({ SMTP_URI: '' }).warnings, [])
  })

  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://auth.example.com',
    SMTP_URL: 'smtps://mail.example.com',
  }
  const spellings = [
    'DATABSE_URL',
    'DATABASE_URI',
    'DATABASE-URL',
    'DATABASEURL',
    'database_url',
    'Database_Url',
    'DATABASE_URL_FLIE',
  ]
  for (const name of spellings) {
    test(`stops a start in production if the embedded database would be used: ${JSON.stringify(name)}`, () => {
      const [problem = '', ...others] = problemsOf({ ...production, [name]: 'postgres://heron' })
      assert.match(problem, /^.{1,20} is not a setting: did you mean DATABASE_URL(_FILE)?\?$/)
      assert.deepEqual(others, [])
      const warning = [problem]
      assert.deepEqual(load({ [name]: 'postgres://heron' }).warnings, warning)
      assert.deepEqual(load({ ...production, [name]: 'x', DATABASE_URL: 'sqlite:./a.db' }).warnings, warning)
    })
  }

  test('stops the start if it is a rate limit', () => {
    assert.deepEqual(problemsOf({ RATE_LIMIT_SIGNUP_HOURS: '1/1h', RATE_LIMIT_LOGIN: '1/1h' }), [
      'RATE_LIMIT_SIGNUP_HOURS is not a setting: did you mean RATE_LIMIT_SIGNUP_HOUR?',
      'RATE_LIMIT_LOGIN is not a setting',
    ])
    load({ RATE_LIMIT_SIGNUP_HOURS: '' })
  })
})

describe('DATABASE_URL cut short', () => {
  const complete = { NODE_ENV: 'production', PUBLIC_URL: 'https://auth.example.com', SMTP_URL: 'smtp://127.0.0.1:25' }

  test('is refused, and never means the embedded database', () => {
    for (const url of ['', 'postgres', 'postgres:', 'postgres://', 'p'])
      assert.match(problemsOf({ ...complete, DATABASE_URL: url }).join(), /^DATABASE_URL /, url)
    assert.equal(load(complete).database.kind, 'sqlite')
  })

  test('is refused if the file that DATABASE_URL_FILE names is empty', () => {
    assert.match(problemsOf({ DATABASE_URL_FILE: '/dev/null' }).join(), /^DATABASE_URL is empty in the file/)
  })
})
