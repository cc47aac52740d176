/** How a `redirectTo` is resolved, and what must hold for every accepted one. */
import assert from 'node:assert/strict'
import { ApiError } from '../../../src/errors.ts'
import { MAX_TARGET_LENGTH, parseRedirectTarget } from '../../../src/http/redirect-target.ts'

export const frontend = new URL('https://app.example.com/in')

/** The accepted target, or undefined where the input is refused. */
export function targetOf(input: string, appUrl = frontend): string | undefined {
  try {
    return parseRedirectTarget(appUrl, input)
  } catch (error) {
    assert.ok(error instanceof ApiError, `${JSON.stringify(input)} threw ${String(error)}`)
    const isLong = URL.canParse(input) && new URL(input).href.replaceAll('\\', '%5C').length > MAX_TARGET_LENGTH
    assert.ok(error.code === 'REDIRECT_NOT_ALLOWED' || (isLong && error.code === 'VALIDATION_FAILED'), error.code)
    assert.ok(!error.message.includes(input) || input.length < 10, 'the message does not quote the input')
    return undefined
  }
}

/**
 * Asserts that an accepted target is on the frontend's origin, has no credentials, and is normalised by the URL parser.
 */
export function assertSafe(input: string, appUrl = frontend): string | undefined {
  const target = targetOf(input, appUrl)
  if (target === undefined) return undefined
  const parsed = new URL(target)
  assert.equal(parsed.origin, appUrl.origin, input)
  assert.equal(parsed.protocol, appUrl.protocol, input)
  assert.deepEqual([parsed.username, parsed.password], ['', ''], input)
  assert.equal(parsed.href, target, input)
  assert.match(target, /^[\x21-\x7e]+$/)
  return target
}
