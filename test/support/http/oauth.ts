/** Calls of OAuth's endpoints, and their errors (RFC 6749, section 5.2). */
import assert from 'node:assert/strict'
import { errors, oauthErrorOf } from '../../../src/errors.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import type { NewKey } from '../accounts/keys.ts'
import type { Answer, Service } from '../service.ts'
import { assertUncacheable } from './answers.ts'

export type Fields = Readonly<Record<string, string>>

/** The header field of a client that uses HTTP Basic, form-encoded as the RFC demands. */
export function basicOf({ apiKey, keySecret }: NewKey): Fields {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1).replaceAll('_', '%5F')
  const pair = `${encode(apiKey.keyId)}:${encode(keySecret)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** The fields of a client that authenticates in the form. */
export const postOf = ({ apiKey, keySecret }: NewKey): Fields => ({
  client_id: apiKey.keyId,
  client_secret: keySecret,
})

/** Posts a form; `path` is below the base URL. */
export function postForm(
  { call }: Pick<Service, 'call'>,
  path: string,
  fields: Fields | string,
  headers: Fields = {},
): Promise<Answer> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return call(`POST ${path}`, { body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
}

/** Asserts that the answer is this error in exactly OAuth's form, and not cacheable. */
export function assertOAuthError(answer: Answer, code: ErrorCode, description?: RegExp): void {
  const said = `${answer.status} ${answer.text}`
  const { error, status } = oauthErrorOf(code)
  assert.equal(answer.body?.error, error, said)
  assert.equal(answer.status, status, said)
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'])
  // RFC 6749, section 5.2.
  assert.match(answer.body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  if (description === undefined) assert.equal(answer.body.error_description, errors[code].message)
  else assert.match(answer.body.error_description, description)
  assertUncacheable(answer)
}
