import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFields } from '../../src/http/raw-headers.ts'

test('counts fields by case-insensitive name, and ignores values that look like names', () => {
  const rawHeaders = ['Host', 'host', 'HOST', 'a.example', 'X-Host', 'host', 'accept', 'Host']
  assert.equal(countFields(rawHeaders, 'host'), 2)
  assert.equal(countFields(rawHeaders, 'authorization'), 0)
})
