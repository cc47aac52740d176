import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { newKeySecret } from '../../src/domain/keys/key-secret.ts'
import { createLog, redact } from '../../src/lib/log.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { HOSTILE, UNPRINTABLE } from '../support/unprintable.ts'

const keySecret = newKeySecret(systemRandom)
const linkToken = systemRandom.bytes(32).toString('base64url')
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi1oZXJl'
const secrets = { keySecret, linkToken, jwt }

/** The log line of this error. */
function lineOf(err: unknown): string {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).error({ err }, 'something failed')
  assert.equal(lines.length, 1)
  return lines[0] ?? ''
}

function assertNoSecret(text: string): void {
  for (const [kind, secret] of Object.entries(secrets)) {
    assert.ok(!text.includes(secret), `${kind} in ${text}`)
  }
}

describe('redact', () => {
  test('key secrets, access tokens and link tokens are redacted anywhere', () => {
    for (const secret of Object.values(secrets)) {
      const places = [secret, `"${secret}"`, `a ${secret} b`, `x=${secret}&y`, `(${secret})\n`, `/${secret}/`]
      for (const text of places) {
        assert.ok(!redact(text).includes(secret), text)
      }
    }
  })

  test('every value of token= is redacted, also one that is not our token', () => {
    assert.equal(redact('/verify?token=short&redirectTo=x'), '/verify?token=[redacted]&redirectTo=x')
  })

  test('ordinary words, ids and hashes stay', () => {
    for (const text of [
      'UNIQUE constraint failed: users.email',
      'key 0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10 of plk_4fR7sQ0bXy2LkTz9WcNd1e',
      'connect ECONNREFUSED 127.0.0.1:25',
      'a'.repeat(42),
      'a'.repeat(44),
      'e'.repeat(64),
    ]) {
      assert.equal(redact(text), text)
    }
  })

  test('every possible link token is redacted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const token = Buffer.from(bytes).toString('base64url')
        assert.equal(redact(`link ${token} is used`), 'link [redacted] is used')
      }),
    )
  })
})

describe('an error in the log', () => {
  test('has type, code, message and stack frames', () => {
    const error = Object.assign(new TypeError('cannot do it'), { code: 'E_NOT_DONE' })
    const { err, msg } = JSON.parse(lineOf(error))
    const { frames, ...rest } = err
    assert.deepEqual(rest, { type: 'TypeError', code: 'E_NOT_DONE', message: 'cannot do it' })
    assert.match(frames, /log\.test\.ts:\d+/)
    assert.equal(msg, 'something failed')
  })

  test('omits own properties, which contain server messages, recipients and rows', () => {
    const error = Object.assign(new Error('refused'), {
      response: `550 no such box ${keySecret}`,
      recipient: 'ana@example.com',
      parameters: [linkToken],
      cause: new Error(jwt),
      toJSON: () => ({ jwt }),
    })
    const line = lineOf(error)
    assertNoSecret(line)
    assert.doesNotMatch(line, /ana@example\.com|550 |no such box/)
  })

  test('has no secret in its message', () => {
    for (const secret of Object.values(secrets)) {
      const line = lineOf(new Error(`no row for ${secret} in magic_links`))
      assertNoSecret(line)
      assert.match(line, /no row for \[redacted\] in magic_links/)
    }
  })

  test('has no secret in a message that looks like stack frames', () => {
    for (const secret of Object.values(secrets)) {
      assertNoSecret(lineOf(new Error(`it failed\n    at ${secret}\n  at x`)))
    }
  })

  test('does not quote what JSON.parse rejected', () => {
    for (const text of [
      `{"password":"hunter2 hunter2"`,
      `hunter2 is no JSON`,
      `{"a":1,\n    at "hunter2"}`,
      `"${keySecret}`,
      `{"token": ${linkToken}}`,
    ]) {
      let thrown: unknown
      try {
        JSON.parse(text)
      } catch (error) {
        thrown = error
      }
      assert.ok(thrown instanceof SyntaxError)
      const line = lineOf(thrown)
      assertNoSecret(line)
      assert.doesNotMatch(line, /hunter2/)
      assert.equal(JSON.parse(line).err.type, 'SyntaxError')
    }
  })

  test('shows only the type of thrown values that are not errors', () => {
    for (const thrown of [keySecret, { message: keySecret }, [jwt], 42, null, undefined, Symbol(linkToken)]) {
      assertNoSecret(lineOf(thrown))
    }
    assert.deepEqual(JSON.parse(lineOf(keySecret)).err, { type: 'string' })
  })

  test('is one line per event, whatever it contains', () => {
    const line = lineOf(new Error('first\nsecond\r\n{"level":30,"msg":"forged"}\u001b[2J\0\u2028'))
    assert.equal(line.indexOf('\n'), line.length - 1)
    assert.doesNotMatch(line, /[\r\0\u001b]/)
    JSON.parse(line)
  })
})

describe('createLog', () => {
  test('a line contains no terminal control sequences, and parses to what was logged', () => {
    const lines: string[] = []
    createLog('info', { write: (line) => void lines.push(line) }).info({ name: HOSTILE, [HOSTILE]: 1 }, HOSTILE)
    const [line = ''] = lines
    assert.match(line, /\n$/)
    assert.doesNotMatch(line.slice(0, -1), UNPRINTABLE)
    const { name, msg, [HOSTILE]: value } = JSON.parse(line)
    assert.deepEqual([name, msg, value], [HOSTILE, HOSTILE, 1])
  })

  test('writes nothing below its level', () => {
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    log.info('quiet')
    log.warn('loud')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['loud'],
    )
  })

  test('writes nothing at level silent', () => {
    const lines: string[] = []
    createLog('silent', { write: (line) => void lines.push(line) }).fatal('the end')
    assert.deepEqual(lines, [])
  })

  test('omits host name and process id', () => {
    assert.deepEqual(Object.keys(JSON.parse(lineOf(new Error('x')))), ['level', 'time', 'err', 'msg'])
  })
})

test('an error of a lock says that another process keeps it', () => {
  const locked = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
  const { err } = JSON.parse(lineOf(locked))
  assert.match(err.cause, /^another process has kept the write lock of the database\./)
})

describe('an error of a full disk', () => {
  const errors = {
    SQLITE_FULL: { code: 'ERR_SQLITE_ERROR', errcode: 13 },
    SQLITE_IOERR_SHMSIZE: { code: 'ERR_SQLITE_ERROR', errcode: 4874 },
    'disk_full of PostgreSQL': { code: '53100' },
    ENOSPC: { code: 'ENOSPC' },
  }
  for (const [name, fields] of Object.entries(errors)) {
    test(`has its message and no stack: ${name}`, () => {
      const { err } = JSON.parse(lineOf(Object.assign(new Error('database or disk is full'), fields)))
      assert.deepEqual(err, { type: 'Error', code: fields.code, message: 'database or disk is full' })
    })
  }

  test('is no other error of the disk', () => {
    assert.match(
      lineOf(Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })),
      /frames/,
    )
  })
})
