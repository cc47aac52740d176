import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../../src/config/settings.ts'
import { temporaryFolder } from '../../support/files.ts'
import { COMPILE_CACHE, PRELOAD } from '../../support/runner/test-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const generated = ['openapi.json', '.env.example', 'docs/settings.md']
const folder = temporaryFolder()
const at = (path: string) => join(folder.path, path)
const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null)
const contents = () => generated.map(read)

/** Changes a file of the copy until the test ends. */
function edit(t: TestContext, path: string, from: string, to: string): void {
  const text = readFileSync(at(path), 'utf8')
  assert.ok(text.includes(from), `${path} has no ${from}`)
  writeFileSync(at(path), text.replace(from, to))
  t.after(() => writeFileSync(at(path), text))
}

const run = (...options: string[]) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const argumentsOfNode = [PRELOAD, 'scripts/generate.ts', ...options]
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }
    execFile(process.execPath, argumentsOfNode, { cwd: folder.path, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, output: out + err }),
    )
  })

describe('generate', () => {
  // One copy for all: code is compiled and cached for each path anew.
  before(() => {
    for (const path of ['src', 'web/dist', 'scripts', 'package.json', ...generated]) {
      cpSync(join(root, path), at(path), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), at('node_modules'))
  })
  after(() => folder.remove())

  test('--check passes a fresh tree silently and writes nothing', async () => {
    const found = contents()
    assert.deepEqual(await run('--check'), { code: 0, output: '' })
    assert.deepEqual(contents(), found)
    assert.equal(existsSync(at('data')), false)
  })

  const staleEdits: Readonly<Record<string, readonly [from: string, to: string]>> = {
    'openapi.json': ['"operationId": "requestLink"', '"operationId": "askForLink"'],
    '.env.example': ['#PORT=3000', '#PORT=4000'],
    'docs/settings.md': ['| `PORT` | `3000` |', '| `PORT` | `4000` |'],
  }
  test('--check fails on stale files, names no other, and changes nothing', async (t) => {
    const stale = ['.env.example', 'docs/settings.md']
    for (const path of stale) edit(t, path, ...(staleEdits[path] ?? assert.fail(path)))
    const found = contents()
    const named = stale.map((path) => `${path} is stale: npm run generate\n`)
    assert.deepEqual(await run('--check'), { code: 1, output: named.join('') })
    assert.deepEqual(contents(), found)
  })

  test('--check fails if the code has changed, the document is stale and a file is missing', async (t) => {
    edit(t, 'src/config/settings.ts', "name: 'MAIL_FROM'", "name: 'MAIL_SENDER'")
    edit(t, 'openapi.json', ...(staleEdits['openapi.json'] ?? assert.fail()))
    const text = readFileSync(at('.env.example'), 'utf8')
    rmSync(at('.env.example'))
    t.after(() => writeFileSync(at('.env.example'), text))
    const { code, output } = await run('--check')
    assert.equal(code, 1)
    for (const path of generated) assert.match(output, new RegExp(`^${RegExp.escape(path)} is stale`, 'm'))
    assert.equal(existsSync(at('.env.example')), false)
  })

  test('--check fails on a page without the marker of its table', async (t) => {
    edit(t, 'docs/settings.md', '<!-- settings -->', '')
    const { code, output } = await run('--check')
    assert.equal(code, 1)
    assert.match(output, /docs\/settings\.md lacks the marker of its table/)
  })

  test('rewrites stale files and keeps the rest of the page', async (t) => {
    const found = contents()
    for (const [path, [from, to]] of Object.entries(staleEdits)) edit(t, path, from, to)
    const { code, output } = await run()
    assert.deepEqual({ code, output }, { code: 0, output: 'Wrote openapi.json, .env.example, docs/settings.md.\n' })
    assert.deepEqual(contents(), found)
  })
})

test('every setting is in .env.example and docs/settings.md, with its default and its reason', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  const page = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  for (const setting of Object.values(settings)) {
    const { name, why } = setting
    const text = 'defaultText' in setting ? setting.defaultText : ''
    assert.ok(example.includes(`\n# ${why}`), `.env.example does not explain ${name}`)
    assert.ok(example.includes(`\n#${name}=${text}\n`), `.env.example has no ${name}`)
    const [row = ''] = page.match(new RegExp(`^\\| \`${name}\` \\|.*$`, 'm')) ?? []
    assert.ok(row.endsWith(`| ${why} |`), `the page does not explain ${name}`)
    if (text) assert.ok(row.includes(`| \`${text}\` |`), `the page has no default of ${name}`)
    for (const document of [example, page]) {
      assert.equal(document.includes(`${name}_FILE`), 'isSecret' in setting, `${name}_FILE`)
    }
  }
})
