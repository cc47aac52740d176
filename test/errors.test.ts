import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ApiError, errors, oauthErrorOf } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'

const codes = Object.keys(errors) as ErrorCode[]

describe('the table', () => {
  test('has UNAUTHORIZED exactly as specified', () => {
    assert.deepEqual(errors.UNAUTHORIZED, { status: 401, message: 'Unauthorized' })
  })

  test('has upper-case codes with a client or server error status and a message for people', () => {
    for (const code of codes) {
      assert.match(code, /^[A-Z]+(_[A-Z]+)*$/)
      assert.ok(errors[code].status >= 400 && errors[code].status < 600, code)
      if (code !== 'UNAUTHORIZED') assert.match(errors[code].message, /^(`[\w-]+` |[A-Z]).*\.$/)
    }
  })

  test('has these statuses', () => {
    const designed: Partial<Record<ErrorCode, number>> = {
      VALIDATION_FAILED: 400,
      REDIRECT_NOT_ALLOWED: 400,
      CURRENCY_NOT_SUPPORTED: 400,
      INVALID_CREDENTIALS: 401,
      LINK_INVALID: 401,
      KEY_AWAITS_OWNER: 403,
      SIGNUP_CLOSED: 403,
      ORIGIN_NOT_ALLOWED: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      EMAIL_TAKEN: 409,
      KEY_LIMIT_REACHED: 409,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      RATE_LIMITED: 429,
      INTERNAL: 500,
      UNAVAILABLE: 503,
    }
    for (const [code, status] of Object.entries(designed)) {
      assert.equal(errors[code as ErrorCode].status, status, code)
    }
  })

  test('tells a caller that repeats a signup that the account exists, and two existing ways to continue', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
    const { message } = errors.EMAIL_TAKEN
    assert.match(message, /^An account with this e-mail address exists/)
    assert.match(message, /answer was lost.*magic link/)
    assert.match(message, /had this address in the last seven days.*says that the address of the account was changed/)
    const named = [...message.matchAll(/(POST|GET) (\/[\w/-]+)/g)]
    assert.deepEqual(
      named.map(([, , path]) => path),
      ['/auth/api/token', '/auth/request'],
    )
    for (const [, method = '', path = ''] of named) assert.ok(paths[path][method.toLowerCase()], path)
  })

  test('matches the OpenAPI document for codes of operations', () => {
    const document = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
    // Answered before routing, or without a route.
    const beforeRouting = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'])
    for (const code of codes) {
      // OAuth's operations answer under another name.
      const names = [code, oauthErrorOf(code).error].filter((name) => name !== 'invalid_request')
      if (!beforeRouting.has(code))
        assert.ok(
          names.some((name) => document.includes(`"${name}"`)),
          code,
        )
    }
  })
})

describe('docs/errors.md', () => {
  const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const sections = page.split(/^### /m).slice(1)

  test('has each code once, and no other', () => {
    assert.deepEqual(sections.map((section) => section.split('\n')[0]).toSorted(), codes.toSorted())
  })

  test('gives status, message, cause and remedy for each', () => {
    for (const section of sections) {
      const [code = '', ...lines] = section.split('\n').filter((line) => line !== '' && !line.startsWith('## '))
      const { status, message } = errors[code as ErrorCode]
      assert.equal(lines[0], `**${status}** ${message}`, code)
      assert.deepEqual(
        lines.slice(1).map((line) => line.match(/^- (Cause|Cure): \S.*\.$/)?.[1]),
        ['Cause', 'Cure'],
        code,
      )
    }
  })
})

describe('an ApiError', () => {
  test('has the specified body: message and code, and no other field', () => {
    for (const code of codes) {
      const { status, message } = errors[code]
      const error = new ApiError(code)
      assert.equal(JSON.stringify(error.toBody()), JSON.stringify({ error: { message, code } }))
      assert.equal(error.status, status)
      assert.deepEqual(error.headers, {})
    }
  })

  test('keeps code, status and the table with a more precise message or header fields', () => {
    const error = new ApiError('NOT_FOUND', { message: 'No such key.', headers: { allow: 'GET' } })
    assert.deepEqual(error.toBody(), { error: { message: 'No such key.', code: 'NOT_FOUND' } })
    assert.deepEqual([error.status, error.headers], [404, { allow: 'GET' }])
    assert.equal(errors.NOT_FOUND.message, 'Not found.')
  })
})
