/** Form bodies are read strictly, on OAuth's endpoints only. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { assertOAuthError, postForm } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const PATH = '/oauth/token'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a repeated parameter is refused, also one of the same value, and one that is not known (RFC 6749, section 3.2) [A31]', async () => {
  for (const body of ['grant_type=x&grant_type=x', 'grant_type=x&a=1&a=2', 'grant_type=x&grant%5Ftype=y']) {
    assertOAuthError(await postForm(service, PATH, body), 'VALIDATION_FAILED', /repeated/)
  }
})

test('unknown parameters are ignored, and those without a value are absent', async () => {
  for (const body of ['grant_type=x&a=1', 'grant_type=x&a&b=&b=&=', '&grant_type=x&', 'grant_type=x&__proto__=y']) {
    assertOAuthError(await postForm(service, PATH, body), 'UNSUPPORTED_GRANT_TYPE')
  }
  for (const body of ['', 'grant_type', 'grant_type=', '__proto__=x', 'a=b']) {
    assertOAuthError(await postForm(service, PATH, body), 'VALIDATION_FAILED', /`grant_type` is required/)
  }
})

test('what is not UTF-8, and a broken percent-escape, is refused without being quoted', async () => {
  for (const body of ['grant_type=%', 'grant_type=%ff', '%c3=x', 'grant_type=%zz', 'grant_type=x&a=ș']) {
    const answer = await postForm(service, PATH, body)
    assertOAuthError(answer, 'VALIDATION_FAILED', /not a form in UTF-8/)
  }
})

test('a body that is compressed or in another encoding is refused, as JSON is', async () => {
  const encodings = [
    { 'content-encoding': 'gzip' },
    { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
    { 'content-type': 'application/x-www-form-urlencoded; charset=utf-7; charset=utf-8' },
  ]
  for (const headers of encodings) {
    assertOAuthError(
      await postForm(service, PATH, 'grant_type=x', headers),
      'UNSUPPORTED_MEDIA_TYPE',
      /^The request body must be (sent without a Content-Encoding|in UTF-8)\.$/,
    )
  }
  const utf8 = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', 'content-encoding': 'identity' }
  assertOAuthError(await postForm(service, PATH, 'grant_type=x', utf8), 'UNSUPPORTED_GRANT_TYPE')
})

test('a plus is a space, and an escaped plus is a plus', async () => {
  // The scope is refused after the client, so the grant shows how the text was read.
  for (const [body, code] of [
    ['grant_type=client%5Fcredentials&client_id=x&client_secret=y', 'INVALID_CREDENTIALS'],
    ['grant_type=client+credentials', 'UNSUPPORTED_GRANT_TYPE'],
    ['grant_type=client%2Bcredentials', 'UNSUPPORTED_GRANT_TYPE'],
  ] as const) {
    assertOAuthError(await postForm(service, PATH, body), code)
  }
})

test('JSON is refused here, and a form everywhere else', async () => {
  const json = await service.call(`POST ${PATH}`, { body: { grant_type: 'client_credentials' } })
  assertOAuthError(json, 'UNSUPPORTED_MEDIA_TYPE', /application\/x-www-form-urlencoded/)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const elsewhere = await service.call('POST /auth/api/token', { body: 'keyId=x', headers: form })
  assertError(elsewhere, 'UNSUPPORTED_MEDIA_TYPE')
})

test('a large body, and a method that is not there, are refused as everywhere', async () => {
  const large = await postForm(service, PATH, `grant_type=${'x'.repeat(65 * 1024)}`)
  assertOAuthError(large, 'PAYLOAD_TOO_LARGE')
  const read = await service.call(`GET ${PATH}`)
  assertError(read, 'METHOD_NOT_ALLOWED')
  assert.equal(read.headers.get('allow'), 'POST')
})
