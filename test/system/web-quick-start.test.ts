import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../support/files.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
let web: Web
before(async () => {
  web = await startWeb()
})
after(async () => {
  await web.stop()
  folder.remove()
})

const shown = (page: Page, label: string) => page.getByLabel(label, { exact: true }).innerText()

type Key = Readonly<{ keyId: string; keySecret: string }>

/** The environment in which the page tells the reader to keep the key. */
async function environmentFor(page: Page, { keyId, keySecret }: Key): Promise<Record<string, string>> {
  const text = await shown(page, 'Keep the key in the environment')
  const names = [...text.matchAll(/export (\w+)=/g)].map(([, name = '']) => name)
  assert.equal(names.length, 2)
  return Object.fromEntries(names.map((name, index) => [name, [keyId, keySecret][index] ?? '']))
}

test('by curl: sign up, exchange, call, rotate; without a sign-in on the page', async () => {
  const { page, assertClean } = await web.openPage()
  await page.goto('/dashboard/quick-start')
  const bash = async (script: string, env: Record<string, string> = {}) =>
    (await run('bash', ['-c', script], { env: { PATH: process.env['PATH'] ?? '', ...env } })).stdout
  const { apiKey, keySecret } = JSON.parse(await bash(await shown(page, 'Sign up in one call')))
  const key = { keyId: apiKey.keyId, keySecret }
  const env = await environmentFor(page, key)
  const exchange = await shown(page, 'Exchange the key')
  const answer = await bash(`${exchange}\n${await shown(page, 'Call with the token')}`, env)
  assert.equal(JSON.parse(answer).user.email, 'you@example.com')

  const rotated = await bash(`${exchange}\n${await shown(page, 'Rotate the key')}`, { ...env, ID: apiKey.id })
  const newSecret = /"keySecret":"([^"]+)"/.exec(rotated)?.[1] ?? ''
  for (const secret of [keySecret, newSecret]) {
    const body = { ...key, keySecret: secret }
    assert.equal((await web.callApi('POST /auth/api/token', { body })).status, 200, 'the old one has its grace')
  }
  assert.notEqual(newSecret, keySecret)
  await assertClean()
})

test('the description for machines is where the page says', async () => {
  const { page } = await web.openPage()
  await page.goto('/dashboard/quick-start')
  const url = await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')
  const answer = await fetch(url ?? '')
  assert.match(((await answer.json()) as { openapi: string }).openapi, /^3\.1/)
})

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

for (const { tool, program, file } of [
  { tool: 'Node', program: process.execPath, file: 'mjs' },
  { tool: 'Python', program: 'python3', file: 'py' },
]) {
  test(`by ${tool}: sign up, exchange and call`, { skip: tool === 'Python' && !hasPython }, async () => {
    const { page, assertClean } = await web.openPage()
    await page.goto('/dashboard/quick-start')
    await page.getByRole('radio', { name: 'curl' }).focus()
    for (const _ of tool === 'Node' ? [1] : [1, 2]) await page.keyboard.press('ArrowRight')
    assert.equal(await page.getByRole('radio', { name: tool }).isChecked(), true)
    const start = async (name: string, script: string, env: Record<string, string> = {}) => {
      const path = join(folder.path, `${name}.${file}`)
      writeFileSync(path, script)
      return (await run(program, [path], { env: { PATH: process.env['PATH'] ?? '', ...env } })).stdout
    }
    // Only one account can have the address on the page.
    const email = `${tool.toLowerCase()}@example.com`
    const made = await start('signup', (await shown(page, 'Sign up in one call')).replace('you@example.com', email))
    const keyId = /plk_\w+/.exec(made)?.[0] ?? ''
    const keySecret = /pls_\w+/.exec(made)?.[0] ?? ''
    const script = `${await shown(page, 'Exchange the key')}\n${await shown(page, 'Call with the token')}`
    const answer = await start('call', script, await environmentFor(page, { keyId, keySecret }))
    assert.ok(answer.includes(email), answer)
    await assertClean()
  })
}
