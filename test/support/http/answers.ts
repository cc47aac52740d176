/** Assertions about answers: exact fields, and one shape for every error. */
import assert from 'node:assert/strict'
import type { ErrorCode } from '../../../src/errors.ts'
import { errors } from '../../../src/errors.ts'
import type { Answer } from '../service.ts'

/** The fields of a JSON value and their types, so that an additional or missing field shows. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shapeOf(field)]))
}

/** Asserts that the answer is this error in exactly the specified shape, and not cacheable. */
export function assertError(answer: Answer, code: ErrorCode, message?: RegExp | string): void {
  const said = `${answer.status} ${answer.text}`
  assert.equal(answer.body?.error?.code, code, said)
  assert.equal(answer.status, errors[code].status, said)
  assert.deepEqual(shapeOf(answer.body), { error: { message: 'string', code: 'string' } })
  assertUncacheable(answer)
  if (typeof message === 'string') assert.equal(answer.body.error.message, message)
  else if (message) assert.match(answer.body.error.message, message)
}

/** Asserts the header fields of every uncacheable answer. */
export function assertUncacheable(answer: Answer): void {
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w.-]{1,128}$/)
}

/** Everything by which a caller could tell two answers apart: status, header field names, body. */
export function fingerprintOf(answer: Answer): string {
  return `${answer.status} ${[...answer.headers.keys()].toSorted().join(',')} ${answer.text}`
}

/** Asserts the security header fields: no scripts, framing, sniffing or referrer, and TLS only. */
export function assertSecurityHeaders({ headers }: Answer, said = ''): void {
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/, said)
  const [, maxAge] = /^max-age=(\d+); includeSubDomains$/.exec(headers.get('strict-transport-security') ?? '') ?? []
  assert.ok(Number(maxAge) >= 31_536_000, said)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', said)
  assert.equal(headers.get('referrer-policy'), 'no-referrer', said)
  assert.equal(headers.get('x-frame-options'), 'DENY', said)
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', said)
  for (const name of ['server', 'x-powered-by']) assert.equal(headers.get(name), null, said)
}

/** The challenge of the guard, which names the metadata of the API (RFC 9728). */
export function bearerChallenge(origin: string, error?: string): string {
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/api/v1"`
  return `Bearer realm="paylink-auth"${error === undefined ? '' : `, error="${error}"`}, ${metadata}`
}
