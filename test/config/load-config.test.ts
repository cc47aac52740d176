import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Parser, Rate } from '../../src/config/parsers.ts'
import { loadConfig } from '../../src/config/load-config.ts'

type Environment = Record<string, string>
type Documented = Readonly<{ parse: Parser<Rate>; defaultText?: string }>

const secret = 'a-test-secret-of-more-than-thirty-two-bytes'
const forDevelopment = () => 'the-secret-that-development-keeps-in-its-folder'
const production: Environment = {
  NODE_ENV: 'production',
  JWT_SECRET: secret,
  PUBLIC_URL: 'https://auth.example.com',
  SMTP_URL: 'smtps://user:pass@mail.example.com:465',
}

/** Generating a secret is an error unless it is allowed. */
function load(environment: Environment): Config {
  return loadConfig({ JWT_SECRET: secret, ...environment }, () => assert.fail('no secret may be generated'))
}

describe('with no settings', () => {
  test('a service starts on loopback with the development conveniences', () => {
    const { jwtSecret, ...config } = loadConfig({}, (dataDir) => `the-secret-kept-in-the-folder-${dataDir}`)
    assert.equal(jwtSecret, 'the-secret-kept-in-the-folder-./data')
    assert.equal(config.nodeEnv, 'development')
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.port, 3000)
    assert.equal(config.publicUrl, 'http://localhost:3000')
    assert.equal(config.baseUrl, 'http://localhost:3000/api/v1')
    assert.equal(config.appUrl.href, 'http://localhost:3000/')
    assert.deepEqual(config.database, { kind: 'sqlite', path: 'data/paylink-auth.db' })
    assert.equal(config.mailFrom, 'no-reply@localhost')
    assert.equal(config.smtpUrl, undefined)
    assert.equal(config.signup, 'open')
    assert.equal(config.rateLimits, 'on')
    assert.equal(config.logLevel, 'info')
    assert.deepEqual(config.trustProxy, [])
    assert.deepEqual(config.jwtSecretVerify, [])
    assert.deepEqual([config.isProduction, config.hasDevelopmentPages], [false, true])
  })

  test('an empty variable counts as unset', () => {
    const names = Object.values(settings).map(({ name }) => name)
    const empty = Object.fromEntries(
      names.flatMap((name) => [
        [name, ''],
        [`${name}_FILE`, ''],
      ]),
    )
    assert.deepEqual(loadConfig(empty, forDevelopment), loadConfig({}, forDevelopment))
  })
})

describe('computed defaults', () => {
  test('URLs and paths derive from PORT, PUBLIC_URL, APP_URL and DATA_DIR', () => {
    assert.equal(load({ PORT: '8080' }).baseUrl, 'http://localhost:8080/api/v1')
    const SMTP_URL = 'smtp://127.0.0.1:25'
    const config = load({ PUBLIC_URL: 'https://auth.example.com/', DATA_DIR: '/var/lib/paylink', SMTP_URL })
    assert.equal(config.publicUrl, 'https://auth.example.com')
    assert.equal(config.baseUrl, 'https://auth.example.com/api/v1')
    assert.equal(config.appUrl.origin, 'https://auth.example.com')
    assert.equal(config.mailFrom, 'no-reply@auth.example.com')
    assert.deepEqual(config.database, { kind: 'sqlite', path: '/var/lib/paylink/paylink-auth.db' })
    assert.equal(load({ APP_URL: 'https://app.example.com/in', SMTP_URL }).appUrl.origin, 'https://app.example.com')
  })

  test('development pages exist on loopback only, and never in production', () => {
    const SMTP_URL = 'smtp://127.0.0.1:25'
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) {
      assert.equal(load({ HOST }).hasDevelopmentPages, true, HOST)
    }
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'localhost.evil.example']) {
      assert.equal(load({ HOST, SMTP_URL }).hasDevelopmentPages, false, HOST)
    }
    for (const address of [{ PUBLIC_URL: 'https://auth.example.com' }, { APP_URL: 'https://app.example.com' }]) {
      assert.equal(load({ ...address, SMTP_URL }).hasDevelopmentPages, false, JSON.stringify(address))
    }
    for (const HOST of ['127.0.0.1', 'localhost']) {
      assert.equal(load({ ...production, HOST }).hasDevelopmentPages, false, HOST)
    }
  })

  test('production listens on every interface by default', () => {
    assert.equal(load(production).host, '0.0.0.0')
    assert.equal(load({ ...production, HOST: '10.0.0.5' }).host, '10.0.0.5')
  })

  test('a JWT_SECRET is used as given, and none is generated', () => assert.equal(load({}).jwtSecret, secret))
})

const rateOf = (config: Config, key: string) => config[key as keyof Config] as Rate

describe('rate limits', () => {
  const limits = Object.entries(settings).filter(([key]) => key.startsWith('limit'))

  test('in production are the documented ones', () => {
    const config = load(production)
    for (const [key, { parse, defaultText = '' }] of limits as [string, Documented][]) {
      assert.deepEqual(rateOf(config, key), parse(defaultText), key)
    }
  })

  test('are the documented ones in development that is reachable from outside', () => {
    const documented = load(production)
    for (const open of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://auth.example.com' },
      { APP_URL: 'https://app.example.com' },
    ]) {
      const config = load({ ...open, SMTP_URL: 'smtp://127.0.0.1:25' })
      for (const [key] of limits)
        assert.deepEqual(rateOf(config, key), rateOf(documented, key), `${key} ${JSON.stringify(open)}`)
    }
  })

  test('are a hundred times as generous in development on loopback, unless set', () => {
    const documented = load(production)
    const config = load({ RATE_LIMIT_SIGNUP_HOUR: '7/2h', RATE_LIMIT_REQUEST_REPEAT: '' })
    assert.deepEqual(config.limitSignupHour, { count: 7, seconds: 7200 })
    for (const [key] of limits.filter(([name]) => name !== 'limitSignupHour')) {
      const { count, seconds } = rateOf(documented, key)
      assert.deepEqual(rateOf(config, key), { count: count * 100, seconds }, key)
    }
  })
})
