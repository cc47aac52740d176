import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../src/config/settings.ts'

type Entry = Readonly<{
  name: string
  parse: (text: string) => unknown
  defaultText?: string
  defaultNote?: string
  isSecret?: true
  why: string
}>

const entries: readonly Entry[] = Object.values(settings)

test('setting names are unique and valid environment variables', () => {
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length)
  for (const { name } of entries) assert.match(name, /^[A-Z][A-Z_]*$/)
})

test('every default is accepted by its own parser', () => {
  for (const { name, parse, defaultText } of entries) {
    if (defaultText !== undefined) assert.doesNotThrow(() => parse(defaultText), name)
  }
})

test('every setting documents its purpose and its default', () => {
  for (const { name, why, defaultText, defaultNote } of entries) {
    assert.match(why, /\.$/, name)
    assert.notEqual(defaultText ?? defaultNote, undefined, name)
  }
})

test('every setting that can contain a secret can come from a file', () => {
  const secret = entries.filter(({ name }) => /SECRET|PASSWORD|TOKEN|SMTP_URL/.test(name))
  for (const { name, isSecret } of secret) assert.equal(isSecret, true, name)
})
