import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../support/files.ts'
import { runCli } from '../../support/process/process.ts'

const PASSWORD = 'hunter2-Pa55word'
const folder = temporaryFolder()
after(() => folder.remove())

/** One of each kind; postgres-url.test.ts covers the other refusals of `checkPostgresUrl`. */
const wrong: readonly (readonly [parameters: string, problem: RegExp])[] = [
  ['sslmode=require&uselibpqcompat=true', /^must not contain uselibpqcompat: /],
  [
    `sslmode=verify-full&sslrootcert=${folder.path}/nowhere.crt`,
    /^has a file in sslrootcert that cannot be read \(ENOENT\)$/,
  ],
]

test('a start with a refused URL exits with 78 and one line that names the cause, without the password', async () => {
  const starts = wrong.map(async ([parameters, message]) => {
    const env = { DATABASE_URL: `postgres://ana:${PASSWORD}@db.example.com/auth?${parameters}` }
    const { code, output } = await runCli(['serve'], { cwd: folder.path, env }).exited
    assert.equal(code, 78, output)
    const [heading, problem = '', ...others] = output.trim().split('\n')
    assert.equal(heading, 'The service cannot start with these settings:')
    assert.match(problem.replace(/^ {2}DATABASE_URL /, ''), message)
    assert.deepEqual(others, [])
    assert.ok(!output.includes(PASSWORD))
  })
  await Promise.all(starts)
})
