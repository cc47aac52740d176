import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { operations } from '../../support/documented.ts'
import { assertError } from '../../support/http/answers.ts'

let service: GoogleService
let token: string
before(async () => {
  service = await startGoogleService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const refuse = async (route: string, body: object | undefined, message: string, headers = {}) =>
  assertError(await service.call(route, { token, headers, ...(body && { body }) }), 'VALIDATION_FAILED', message)

describe('a message names the field and the rule in words', () => {
  test('for a value outside the range, the range', async () => {
    const days = '`expiresInDays` must be a whole number from 1 to 3650'
    for (const expiresInDays of [0, -1, 3651, 1e300]) await refuse('POST /auth/api-keys', { expiresInDays }, `${days}.`)
    const amount = '`amount` must be a whole number from 1 to 99999999.'
    for (const value of [0, -5, 100_000_000]) await refuse('POST /payment-links', { amount: value, title: 'x' }, amount)
    await refuse('POST /auth/api-keys', { name: '' }, '`name` must have 1 to 100 characters.')
    await refuse('POST /auth/api-keys', { name: 'x'.repeat(101) }, '`name` must have 1 to 100 characters.')
    await refuse('POST /auth/api-keys/leaked', { secrets: [] }, '`secrets` must be a list of 1 to 100 items.')
    const redirectTo = `${service.origin}/${'x'.repeat(3000)}`
    await refuse(
      'POST /auth/request',
      { email: 'a@b.de', redirectTo },
      '`redirectTo` must have at most 1024 characters.',
    )
    await refuse('POST /payment-links', { amount: 1, title: 'x' }, '`Idempotency-Key` must have 1 to 255 characters.', {
      'idempotency-key': 'x'.repeat(256),
    })
    await refuse('GET /auth/events?limit=0', undefined, '`limit` must be a whole number from 1 to 100.')
    await refuse('GET /auth/events?limit=ten', undefined, '`limit` must be a whole number from 1 to 100.')
    await refuse('GET /payment-links?status=GONE', undefined, '`status` must be one of ACTIVE, INACTIVE, EXPIRED.')
  })

  test('for a wrong form, what was sent instead', async () => {
    const days = '`expiresInDays` must be a whole number from 1 to 3650'
    const forms: [unknown, string][] = [
      ['30', 'a string'],
      [1.5, 'a fraction'],
      [true, 'a boolean'],
      [[30], 'a list'],
      [{}, 'an object'],
    ]
    for (const [expiresInDays, form] of forms)
      await refuse('POST /auth/api-keys', { expiresInDays }, `${days}, not ${form}.`)
    await refuse('POST /auth/api-keys', { name: 5 }, '`name` must be a string, not a number.')
    await refuse('POST /auth/api-keys', [], 'The body must be a JSON object, not a list.')
    await refuse(
      'POST /auth/api-keys/leaked',
      { secrets: 'x' },
      '`secrets` must be a list of 1 to 100 items, not a string.',
    )
    const time = '`expiresAt` must be a date and time with its offset from UTC, for example 2026-12-31T23:59:59Z.'
    await refuse('POST /payment-links', { amount: 1, title: 'x', expiresAt: '2030-01-01' }, time)
    await refuse('POST /payment-links', { amount: 1, titel: 'x' }, '`titel` is not a known field.')
    await refuse('GET /auth/events?limit=1&limit=2', undefined, '`limit` must be given only once.')
  })

  test('for a field within a list, its place', async () => {
    const secrets = [{ keySecret: 'x' }, { keySecret: 5 }]
    await refuse('POST /auth/api-keys/leaked', { secrets }, '`secrets[1].keySecret` must be a string, not a number.')
    await refuse('POST /auth/api-keys/leaked', { secrets: [{}] }, '`secrets[0].keySecret` is required.')
    await refuse(
      'POST /auth/api-keys/leaked',
      { secrets: [{ keySecret: '', x: 1 }] },
      '`secrets[0].x` is not a known field.',
    )
  })
})

test('no operation answers in the words of the validator', async () => {
  const sentence = /^(`[\w.[\]-]+`|The body) (must (be|have) [^]+|is required|is not a known field)\.$/
  let count = 0
  for (const { route, content } of operations) {
    const path = route.replace('{id}', 'unknown')
    const body = content.requestBody?.content['application/json']?.schema
    for (const name of Object.keys(body?.properties ?? {})) {
      for (const value of [0, -1, 0.5, 1e300, '', 'x', 'x'.repeat(5000), true, [], [1], {}, { x: 1 }, null]) {
        await check(path, { payload: { [name]: value } })
      }
    }
    for (const { in: part, name } of content.parameters ?? []) {
      if (part !== 'query') continue
      for (const value of ['', 'x', '-1', '1e9', '%00', 'x'.repeat(5000), `x&${name}=y`]) {
        await check(`${path}?${name}=${value}`)
      }
    }
  }
  assert.ok(count > 200, `${count}`)

  // Without sockets, because only the words of hundreds of answers are looked at.
  async function check(route: string, body: { payload?: object } = {}): Promise<void> {
    const [method = '', url = ''] = route.split(' ')
    const headers = { authorization: `Bearer ${token}`, host: new URL(service.origin).host }
    const answer = await service.app.inject({ method: method as 'GET', url: `/api/v1${url}`, headers, ...body })
    const isJson = `${answer.headers['content-type']}`.startsWith('application/json')
    const error = isJson ? answer.json<{ error?: { code: string; message: string } } | null>()?.error : undefined
    if (error?.code !== 'VALIDATION_FAILED') return
    const { message } = error
    assert.match(message, sentence)
    assert.doesNotMatch(message, /pattern|NOT|[<>]=|format|schema|instancePath|undefined|\bnull items/)
    count += 1
  }
})
