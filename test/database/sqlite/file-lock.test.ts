import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSqliteBusy } from '../../../src/database/sqlite/errors.ts'
import { lockExclusively, lockShared } from '../../../src/database/sqlite/file-lock.ts'
import { OperatorError } from '../../../src/lib/process/operator-error.ts'
import { temporaryFolder } from '../../support/files.ts'

test('a restore that is running makes others wait and try again; one that was interrupted refuses them for good', (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const path = join(folder.path, 'paylink-auth.db')
  writeFileSync(`${path}-restored`, 'unfinished')
  const restoring = lockExclusively(path)
  assert.throws(() => lockShared(path), isSqliteBusy)
  restoring.release()
  assert.throws(
    () => lockShared(path),
    (error) => error instanceof OperatorError && error.exitCode === 78,
  )
  lockExclusively(path).release()
})
