/** The model is worth its name: a bug planted into any endpoint is found by the random lives. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { document } from '../support/documented.ts'
import { temporaryFolder } from '../support/files.ts'

/** By the path of a feature: what is replaced, and by what. */
const bugs: Readonly<Record<string, readonly [string, string]>> = {
  'magic-link/request-link': ["kind: 'sign_in', email, locale", "kind: 'sign_in', email: `x${email}`, locale"],
  'magic-link/verify-link': ['await consumeLink(', 'await findLink('],
  'magic-link/inspect-link': ['maskEmailAddress(link.email)', 'link.email'],
  'magic-link/not-me': ['await insertPause(trx, action.email, nowMs)', ''],
  'magic-link/resume-mail': ['await deletePause(trx, action.email)', ''],
  'api-keys/signup': ['name, claimedAtMs: null', 'name, claimedAtMs: 1'],
  'api-keys/exchange-token': ["status !== 'ACTIVE'", 'status === undefined'],
  'api-keys/list-keys': ['keys.map(', 'keys.slice(1).map('],
  'api-keys/create-key': ['maker: caller,', ''],
  'api-keys/revoke-key': ['isWhole ?', 'false ?'],
  'api-keys/rotate-key': ["statusOf(key, nowMs) !== 'ACTIVE'", 'false'],
  'api-keys/keep-key': ['caller.apiKeyId !== null', 'false'],
  'api-keys/list-descendants': ['keys.map(', 'keys.slice(1).map('],
  'api-keys/report-leaked': ['revoked_at_ms: nowMs', 'last_used_at_ms: nowMs'],
  'users/get-me': ['toUserAnswer(db, user,', 'toUserAnswer(db, { ...user, name: null },'],
  'users/update-me': ['await renameUser(trx, user.id, name)', ''],
  'users/delete-me': ['caller.signInId === null || !isRecent', '!isRecent'],
  'users/export-me': ['pause === undefined ? null', 'pause !== null ? null'],
  'users/revoke-tokens': ['await incrementTokenVersion(trx, user.id)', ''],
  'events/list-events': ['limit: limit + 1', 'limit'],
  'configuration/get-config': ['signup: config.signup', "signup: 'closed'"],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder()

before(() => {
  for (const path of ['src', 'test/support', 'test/model', 'package.json', 'openapi.json']) {
    cpSync(join(root, path), join(folder.path, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
})
after(() => folder.remove())

async function runLives(): Promise<{ code: number; output: string }> {
  const { PATH = '' } = process.env
  const env = { PATH, FUZZ_SHRINK: 'off', FUZZ_CASES: '4000' }
  const child = spawn(process.execPath, ['--test', 'test/model/life.test.ts'], { cwd: folder.path, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

test('every operation of the document has a planted bug', () => {
  const files = Object.keys(bugs).map((path) => readFileSync(join(root, `src/features/${path}.ts`), 'utf8'))
  const planted = files.map((text) => /operationId: '(\w+)'/.exec(text)?.[1])
  const operations = Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path))
  assert.deepEqual(new Set(planted), new Set(operations.map(({ operationId }) => operationId)))
})

for (const [path, [right, wrong]] of Object.entries(bugs)) {
  test(`a bug in ${path} is found, and the seed to repeat it printed`, async () => {
    const file = join(folder.path, `src/features/${path}.ts`)
    const text = readFileSync(file, 'utf8')
    assert.equal(text.split(right).length, 2, `${right} is not there once`)
    writeFileSync(file, text.replace(right, () => wrong))
    try {
      const { code, output } = await runLives()
      assert.equal(code, 1, output)
      assert.match(output, /seed: -?\d+/)
      assert.match(output, /Property failed/)
    } finally {
      writeFileSync(file, text)
    }
  })
}
