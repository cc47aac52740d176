/** What becomes of a `redirectTo`, and what must hold of every one that is accepted. */
import assert from 'node:assert/strict'
import { ApiError } from '../../../src/errors.ts'
import { parseRedirectTarget } from '../../../src/http/redirect-target.ts'

/** The frontend, unless a test says otherwise. */
export const frontend = new URL('https://app.example.com/in')

/** What is done with an input: the target, or nothing where it is refused with the one error there is. */
export function targetOf(input: string, appUrl = frontend): string | undefined {
  try {
    return parseRedirectTarget(appUrl, input)
  } catch (error) {
    assert.ok(error instanceof ApiError, `${JSON.stringify(input)} threw ${String(error)}`)
    assert.equal(error.code, 'REDIRECT_NOT_ALLOWED')
    assert.ok(!error.message.includes(input) || input.length < 10, 'the input is not quoted back')
    return undefined
  }
}

/** Whatever was accepted leads to the frontend's origin, without credentials, in the parser's own words. */
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
