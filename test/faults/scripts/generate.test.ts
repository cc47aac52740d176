import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../../src/config/settings.ts'
import { temporaryFolder } from '../../support/files.ts'
import { COMPILE_CACHE, PRELOAD } from '../../support/runner/test-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const generated = ['openapi.json', '.env.example', 'docs/settings.md']
const folders: ReturnType<typeof temporaryFolder>[] = []

after(() => folders.forEach(({ remove }) => remove()))

function copyOfTree() {
  const folder = temporaryFolder()
  folders.push(folder)
  const at = (path: string) => join(folder.path, path)
  for (const path of ['src', 'web/dist', 'scripts', 'package.json', ...generated]) {
    cpSync(join(root, path), at(path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), at('node_modules'))
  return {
    at,
    read: (path: string) => readFileSync(at(path), 'utf8'),
    edit(path: string, from: string | RegExp, to: string) {
      const text = readFileSync(at(path), 'utf8')
      assert.notEqual(text.replace(from, to), text, `${path} has no ${from}`)
      writeFileSync(at(path), text.replace(from, to))
    },
    contents: () => generated.map((path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null)),
    run: (...options: string[]) =>
      new Promise<{ code: unknown; output: string }>((resolve) => {
        const argumentsOfNode = [PRELOAD, 'scripts/generate.ts', ...options]
        const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }
        execFile(process.execPath, argumentsOfNode, { cwd: folder.path, env }, (error, out, err) =>
          resolve({ code: error?.code ?? 0, output: out + err }),
        )
      }),
  }
}

describe('generate', { concurrency: 2 }, () => {
  test('--check passes a fresh tree silently and writes nothing', async () => {
    const copy = copyOfTree()
    const before = copy.contents()
    assert.deepEqual(await copy.run('--check'), { code: 0, output: '' })
    assert.deepEqual(copy.contents(), before)
    assert.equal(existsSync(copy.at('data')), false)
  })

  const staleEdits: Readonly<Record<string, [from: string | RegExp, to: string]>> = {
    'openapi.json': ['"operationId": "requestLink"', '"operationId": "askForLink"'],
    '.env.example': ['#PORT=3000', '#PORT=4000'],
    'docs/settings.md': ['| `PORT` | `3000` |', '| `PORT` | `4000` |'],
  }
  for (const [path, [from, to]] of Object.entries(staleEdits)) {
    test(`--check fails on a stale ${path}, names it and no other, and leaves it unchanged`, async () => {
      const copy = copyOfTree()
      copy.edit(path, from, to)
      const before = copy.contents()
      assert.deepEqual(await copy.run('--check'), { code: 1, output: `${path} is stale: npm run generate\n` })
      assert.deepEqual(copy.contents(), before)
    })
  }

  test('--check fails if the code has changed and a file is missing', async () => {
    const copy = copyOfTree()
    copy.edit('src/config/settings.ts', "name: 'MAIL_FROM'", "name: 'MAIL_SENDER'")
    rmSync(copy.at('openapi.json'))
    const { code, output } = await copy.run('--check')
    assert.equal(code, 1)
    for (const path of generated) assert.match(output, new RegExp(`^${RegExp.escape(path)} is stale`, 'm'))
    assert.equal(existsSync(copy.at('openapi.json')), false)
  })

  test('--check fails on a page without the marker of its table', async () => {
    const copy = copyOfTree()
    copy.edit('docs/settings.md', '<!-- settings -->', '')
    const { code, output } = await copy.run('--check')
    assert.equal(code, 1)
    assert.match(output, /docs\/settings\.md lacks the marker of its table/)
  })

  test('rewrites stale files and keeps the rest of the page', async () => {
    const copy = copyOfTree()
    const before = copy.contents()
    for (const [path, [from, to]] of Object.entries(staleEdits)) copy.edit(path, from, to)
    const { code, output } = await copy.run()
    assert.deepEqual({ code, output }, { code: 0, output: 'Wrote openapi.json, .env.example, docs/settings.md.\n' })
    assert.deepEqual(copy.contents(), before)
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
