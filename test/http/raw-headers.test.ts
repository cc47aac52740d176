/** Counting header fields: names in any case, never values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFields } from '../../src/http/raw-headers.ts'

test('counts the fields of a name in any case, and no value that looks like it', () => {
  const rawHeaders = ['Host', 'host', 'HOST', 'a.example', 'X-Host', 'host', 'accept', 'Host']
  assert.equal(countFields(rawHeaders, 'host'), 2)
  assert.equal(countFields(rawHeaders, 'authorization'), 0)
})
