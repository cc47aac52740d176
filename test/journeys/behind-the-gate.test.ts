/** The code of docs/behind-the-gate.md follows the feed, and continues where it failed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { disable } from '../support/accounts/disabled.ts'
import { blocksOf } from '../support/process/documented-commands.ts'
import { startService } from '../support/service.ts'

const CHANGES_TOKEN = 'a-token-of-the-tests-0123456789abcdef'
const PAGE = 100

/** Follows the feed from a cursor, until it fails at an account; prints what it did. */
const DRIVER = `
const [cursor = '', failsAt] = process.argv.slice(-2)
const done: { applied: string[]; stored: string; error?: string } = { applied: [], stored: cursor }
const apply = async ({ userId }: Change) => {
  if (userId === failsAt) throw new Error('not now')
  done.applied.push(userId)
}
await followChanges(cursor, '${CHANGES_TOKEN}', apply, async (next) => void (done.stored = next)).catch(
  (error) => (done.error = error.message),
)
console.log(JSON.stringify(done))
`

test('followChanges stores its cursor after each page, so a failure repeats one page only', async (t) => {
  const service = await startService({ CHANGES_TOKEN })
  t.after(() => service.close())
  const isOfFeed = ({ language, code }: { language: string; code: string }) =>
    language === 'ts' && code.includes('followChanges')
  const { code } = blocksOf('docs/behind-the-gate.md').find(isOfFeed) ?? assert.fail()
  const program = code.replace('https://auth.example.com', service.origin) + DRIVER
  const follow = async (cursor: string, failsAt = 'none') => {
    const options = ['--input-type=module-typescript', '-e', program, '--', cursor, failsAt]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    return JSON.parse(stdout) as { applied: string[]; stored: string; error?: string }
  }

  const ids: string[] = []
  for (const name of ['ana', 'bob']) {
    ids.push((await service.signUp(`${name}@example.com`)).user.id)
    await disable(service, `${name}@example.com`)
  }
  const first = Array.from({ length: PAGE }, (_, index) => ({
    user_id: `earlier-${index}`,
    kind: 'deleted' as const,
    at_ms: 0,
    position: index + 1,
  }))
  await service.db.query.insertInto('account_changes').values(first).execute()

  const failed = await follow('0', ids[1])
  assert.deepEqual([failed.error, failed.stored, failed.applied.length], ['not now', String(PAGE), PAGE + 1])
  const { stored, ...rest } = await follow(failed.stored)
  assert.deepEqual(rest, { applied: ids })
  assert.deepEqual(await follow(stored), { applied: [], stored }, 'nothing is new')
})
