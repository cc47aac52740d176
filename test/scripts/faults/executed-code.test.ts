import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { isExecuted, readExecutedCode } from '../../../scripts/faults/executed-code.ts'
import { temporaryFolder } from '../../support/files.ts'

test('code counts as executed by any process, and the cut report of a killed one counts for nothing', (t) => {
  const { path, remove } = temporaryFolder()
  t.after(remove)
  const url = pathToFileURL(join(path, 'src/a.ts')).href
  const report = (count: number) => {
    const ranges = [
      { startOffset: 0, endOffset: 100, count: 1 },
      { startOffset: 20, endOffset: 40, count },
    ]
    return JSON.stringify({ result: [{ url, functions: [{ ranges }] }] })
  }
  const marks = () => [10, 30, 100].map((offset) => isExecuted(readExecutedCode(path, path), 'src/a.ts', offset))
  writeFileSync(join(path, 'one.json'), report(0))
  writeFileSync(join(path, 'two.json'), report(1).slice(0, -5))
  assert.deepEqual(marks(), [true, false, false])
  writeFileSync(join(path, 'three.json'), report(1))
  assert.deepEqual(marks(), [true, true, false])
})
