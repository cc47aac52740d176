import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureCause } from '../../src/lib/failure-cause.ts'

test('the cause is found when every address of a host fails', () => {
  const each = [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]
  assert.match(failureCause(new Error('x', { cause: new AggregateError(each) })) ?? '', /^refused/)
})

test('an error without such a cause has none', () => {
  for (const error of [new Error('x'), new TypeError('y', { cause: 'ENOTFOUND' }), 'ENOTFOUND', undefined])
    assert.equal(failureCause(error), undefined)
  const loop = new Error('loop')
  loop.cause = loop
  assert.equal(failureCause(loop), undefined)
})
