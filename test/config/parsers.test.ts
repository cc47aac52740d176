import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import * as parsers from '../../src/config/parsers.ts'
import type { Parser } from '../../src/config/parsers.ts'

const { addressRanges, bearerToken, emailAddress, hmacSecret, hmacSecrets, integer } = parsers
const { database, oneOf, origin, rate, smtpServer, text, url, urlOrOff, urlWithoutLogin } = parsers

const goodSecret = 'a-test-secret-of-more-than-thirty-two-bytes'
const otherSecret = 'another-secret-of-more-than-thirty-two-bytes'

type Cases = Readonly<{
  parse: Parser<unknown>
  accepted: readonly (readonly [given: string, value: unknown])[]
  refused: readonly string[]
  message: RegExp
}>

const parsersUnderTest: Readonly<Record<string, Cases>> = {
  text: {
    parse: text,
    accepted: [['0.0.0.0', '0.0.0.0']],
    refused: [''],
    message: /must not be empty/,
  },
  oneOf: {
    parse: oneOf('on', 'off'),
    accepted: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    refused: ['', 'On', 'ON', ' on', 'true', '1', 'on,off', 'constructor'],
    message: /must be one of on, off/,
  },
  integer: {
    parse: integer(1, 65_535),
    accepted: [
      ['1', 1],
      ['3000', 3000],
      ['65535', 65_535],
      ['0080', 80],
    ],
    refused: [
      '',
      '0',
      '65536',
      '-1',
      '+1',
      '1.0',
      '1e3',
      '0x50',
      ' 80',
      '80 ',
      '1_000',
      '٣٠٠٠',
      '9'.repeat(16),
      'NaN',
      'Infinity',
    ],
    message: /must be a whole number from 1 to 65535/,
  },
  url: {
    parse: (value) => url('http:', 'https:')(value).href,
    accepted: [
      ['https://app.example.com', 'https://app.example.com/'],
      ['http://localhost:5173/base', 'http://localhost:5173/base'],
    ],
    refused: [
      '',
      'app.example.com',
      '//app.example.com',
      '/x',
      'https://',
      'http://[::1',
      'javascript:alert(1)',
      'ftp://x.example',
      'blob:https://x.example',
    ],
    message: /must be a URL that starts with http:\/\/ or https:\/\//,
  },
  urlWithoutLogin: {
    parse: (value) => urlWithoutLogin(value).href,
    accepted: [['https://pay.example.com/l/?from=api#x', 'https://pay.example.com/l/?from=api#x']],
    refused: [
      '',
      'off',
      'pay.example.com',
      'ftp://pay.example.com',
      'https://user@pay.example.com',
      'https://u:p@pay.example.com',
      'https://:p@pay.example.com',
    ],
    message: /must be a URL (that starts with|without a user name and a password)/,
  },
  urlOrOff: {
    parse: (value) => urlOrOff(value).toString(),
    accepted: [
      ['off', 'off'],
      ['http://127.0.0.1:8080/rates.xml', 'http://127.0.0.1:8080/rates.xml'],
    ],
    refused: ['', 'OFF', ' off', 'on', 'file:///rates.xml', 'https://u:p@bank.example/rates.xml'],
    message: /must be a URL/,
  },
  smtpServer: {
    parse: (value) => smtpServer(value).hostname,
    accepted: [
      ['smtps://user:pa%20ss@mail.example.com:465', 'mail.example.com'],
      ['smtp://[::1]:25', '[::1]'],
    ],
    refused: ['smtp:', 'smtp://', 'smtp:///x', 'mail.example.com:587', 'http://mail.example.com'],
    message: /must be a URL that starts with smtp:\/\/ or smtps:\/\//,
  },
  'smtpServer, its login': {
    parse: (value) => smtpServer(value).password,
    accepted: [['smtp://u%40x:p%25%2Fw@mail.example.com', 'p%25%2Fw']],
    refused: ['smtp://u:100%@mail.example.com', 'smtps://u%zz:p@mail.example.com', 'smtp://u:%ff@x.example'],
    message: /has a % in its user or password that must be written as %25/,
  },
  origin: {
    parse: origin,
    accepted: [
      ['https://auth.example.com', 'https://auth.example.com'],
      ['https://auth.example.com/', 'https://auth.example.com'],
      ['HTTPS://AUTH.example.com:443', 'https://auth.example.com'],
      ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ],
    refused: [
      'https://a.example/base',
      'https://a.example?x',
      'https://a.example#x',
      'https://u@a.example',
      'https://u:p@a.example',
    ],
    message: /must be scheme, host and port only/,
  },
  hmacSecret: {
    parse: hmacSecret,
    accepted: [goodSecret, '0123456789'.repeat(4), 'ăîșțâéüöß¿'.repeat(2)].map((it) => [it, it]),
    refused: [
      '',
      'short',
      'x'.repeat(31),
      goodSecret.slice(0, 31),
      'x'.repeat(64),
      `${goodSecret} x`,
      `${goodSecret}\n`,
      'changeme'.repeat(4),
      '012345678'.repeat(4),
    ],
    message: /must (be at least 32 bytes long|be random|not contain white space)/,
  },
  hmacSecrets: {
    parse: hmacSecrets,
    accepted: [
      ['', []],
      ['  ', []],
      [otherSecret, [otherSecret]],
      [`${otherSecret}\n\t ${otherSecret}2\n`, [otherSecret, `${otherSecret}2`]],
    ],
    refused: [`${otherSecret} short`, 'x'.repeat(64)],
    message: /must be (at least 32 bytes long|random)/,
  },
  bearerToken: {
    parse: bearerToken,
    accepted: ['0123456789abcdef0123456789abcdef', 'aB3-._~+/9'.repeat(4), 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo='].map(
      (each) => [each, each] as const,
    ),
    refused: [
      '',
      'short',
      'x'.repeat(64),
      'abc'.repeat(20),
      '0123456789abcdef0123456789abcde',
      '0123456789 abcdef0123456789abcdef',
      '0123456789abcdef0123456789abcdef\n',
      'ä0123456789abcdef0123456789abcdef',
    ],
    message: /must be (at least 32|random)/,
  },
  emailAddress: {
    parse: emailAddress,
    accepted: [['No-Reply@Example.com', 'no-reply@example.com']],
    refused: ['', 'Paylink <no-reply@example.com>', 'a@x.com, b@y.com', 'a@x.com\r\nBcc: b@y.com'],
    message: /must be one plain e-mail address/,
  },
  addressRanges: {
    parse: addressRanges,
    accepted: [
      ['', []],
      ['10.0.0.1', ['10.0.0.1']],
      [' 10.0.0.0/8 , fd00::/8,::1, ', ['10.0.0.0/8', 'fd00::/8', '::1']],
      ['fd00::/128', ['fd00::/128']],
    ],
    refused: [
      'true',
      'loopback',
      'proxy.example',
      '*',
      '1',
      '10.0.0',
      '10.0.0.1:80',
      '10.0.0.1 10.0.0.2',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0.0/8.5',
    ],
    message: /must be IP addresses or CIDR ranges/,
  },
  rate: {
    parse: rate,
    accepted: [
      ['1/30s', { count: 1, seconds: 30 }],
      ['5/15m', { count: 5, seconds: 900 }],
      ['120/1h', { count: 120, seconds: 3600 }],
      ['999999999/24d', { count: 999_999_999, seconds: 24 * 86_400 }],
    ],
    refused: [
      '',
      '5',
      '5/',
      '/15m',
      '0/1m',
      '5/0s',
      '5/15',
      '5/15w',
      '5 / 15m',
      '5/15m;',
      '5/15M',
      '-5/15m',
      '5/25d',
      '5/1.5m',
      '1e3/1m',
    ],
    message: /must be a count and a duration/,
  },
}

for (const [name, { parse, accepted, refused, message }] of Object.entries(parsersUnderTest)) {
  describe(name, () => {
    test('parses valid values to one form', () => {
      for (const [given, value] of accepted) assert.deepEqual(parse(given), value, JSON.stringify(given))
    })

    test('rejects invalid values and says what is accepted', () => {
      for (const given of refused) {
        assert.throws(() => parse(given), { name: 'Error', message }, JSON.stringify(given))
      }
    })

    test('never quotes its input', () => {
      const hint = fc.stringMatching(/^[QXZJVWKYqxzjvwky]{12}$/)
      const start = fc.constantFrom('', 'https://', 'smtp://u:', '5/', '10.0.0.0/')
      const anything = fc.tuple(start, hint, fc.constantFrom('', '@', '/8', '%zz'))
      fc.assert(
        fc.property(anything, (parts) => {
          try {
            parse(parts.join(''))
          } catch (error) {
            const shown = `${(error as Error).message} ${JSON.stringify(error)}`
            assert.ok(!shown.toLowerCase().includes(parts[1].toLowerCase()), shown)
          }
        }),
      )
    })
  })
}

describe('database', () => {
  test('a URL whose password is not percent-encoded is refused with the remedy, without the password', () => {
    for (const password of ['p$x&y#z', '12#z', '12/z', '12?z', 'a/b', 'a@b/c', 'a%zz']) {
      assert.throws(
        () => database(`postgres://pay:${password}@localhost/a`),
        /^Error: must be a URL with a valid host and port, in which .* percent-encoded \(# is %23\)$/,
        password,
      )
      assert.equal(database(`postgres://pay:${encodeURIComponent(password)}@localhost/a`).kind, 'postgres')
    }
  })

  test('takes the path of an ordinary file or a server’s URL, and nothing that SQLite stores elsewhere', () => {
    assert.deepEqual(database('sqlite:./data/x.db'), { kind: 'sqlite', path: './data/x.db' })
    assert.deepEqual(database('sqlite:/var/lib/x.db'), { kind: 'sqlite', path: '/var/lib/x.db' })
    const server = 'postgres://ana:secret@db.example.com/auth?sslmode=verify-full'
    assert.deepEqual(database(server), { kind: 'postgres', url: server })
    for (const value of [
      '',
      'sqlite:',
      'sqlite::memory:',
      'sqlite://data/x.db',
      'sqlite:file:x',
      'x.db',
      'mysql://x',
    ]) {
      assert.throws(() => database(value), /must be sqlite:PATH, for example/, value)
    }
  })

  test('allows plain text on loopback only, or with an explicit sslmode', () => {
    const own = ['localhost', '127.0.0.1:5433', '[::1]', 'localhost/auth?host=/var/run/postgresql#']
    const said = ['db.example.com/auth?sslmode=disable', '10.0.0.7/auth?sslmode=verify-full']
    for (const rest of [...own, ...said]) assert.equal(database(`postgres://ana:secret@${rest}`).kind, 'postgres', rest)
    const silent = [
      'db.example.com/auth',
      '10.0.0.7',
      'localhost/auth?host=db.example.com',
      'db.example.com/auth?sslmode=',
      'localhost.example.com/auth?ssl=false',
    ]
    for (const rest of silent) {
      assert.throws(
        () => database(`postgresql://ana:secret@${rest}`),
        /^Error: must contain sslmode=verify-full \(or/,
        rest,
      )
    }
  })
})
