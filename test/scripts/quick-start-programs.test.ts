import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, DOCUMENTED_ORIGIN } from '../support/process/documented-commands.ts'
import { placeholderKey } from '../../web/src/samples/sample.ts'
import { samples } from '../../web/src/samples/samples.ts'

test('the programs of docs/quick-start.md are those of the quick start in the web app', () => {
  const languages = new Set(['sh', 'typescript', 'python', 'php', 'go'])
  const shown = blocksOf('docs/quick-start.md').filter(({ language }) => languages.has(language))
  const values = { baseUrl: `${DOCUMENTED_ORIGIN}/api/v1`, ...placeholderKey }
  assert.deepEqual(
    shown.map(({ code }) => code),
    samples.map(({ program }) => `${program(values)}\n`),
  )
})
