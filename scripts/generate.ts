/**
 * Generates openapi.json, .env.example and the table of docs/settings.md from the code. With `--check` it only fails if
 * one of them is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../src/app.ts'
import { settings } from '../src/config/settings.ts'
import { SqliteDatabase } from '../src/database/sqlite/sqlite-database.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createLog } from '../src/lib/log.ts'
import { systemRandom } from '../src/lib/random.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { createRuntime } from '../src/runtime.ts'
import { version } from '../src/lib/process/version.ts'
import { collectOpenApi } from './openapi-document.ts'

type ShownSetting = Readonly<{
  name: string
  why: string
  defaultText?: string
  defaultNote?: string
  isSecret?: true
}>

/** As the formatter's. */
const LINE_LENGTH = 120

const shown: readonly ShownSetting[] = Object.values(settings)

async function openApiDocument(): Promise<string> {
  const config = loadConfig({}, () => systemRandom.bytes(32).toString('hex'))
  const db = new SqliteDatabase(new DatabaseSync(':memory:'))
  const core = { config, db, log: createLog('silent'), clock: systemClock, random: systemRandom }
  const runtime = await createRuntime(core, { transport: { send: async () => {}, close: () => {} }, google: null })
  const app = await buildApp(runtime.deps, (made) => collectOpenApi(made, version))
  const document = app.swagger()
  await app.close()
  await runtime.close()
  return `${compactJson(document)}\n`
}

/** Like `JSON.stringify(value, null, 2)`, but what fits on a line is on one line. */
function compactJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= LINE_LENGTH) return flat
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const lines = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${inner}${isArray ? '' : `${JSON.stringify(key)}: `}${compactJson(each, inner)}`)
  return `${isArray ? '[' : '{'}\n${lines.join(',\n')}\n${indent}${isArray ? ']' : '}'}`
}

function environmentExample(): string {
  const entries = shown.map(
    ({ name, why, defaultText, defaultNote, isSecret }) =>
      `# ${why}${isSecret ? ` Or name a file that holds it: ${name}_FILE.` : ''}${defaultNote ? `\n# Default: ${defaultNote}.` : ''}\n#${name}=${defaultText ?? ''}\n`,
  )
  return `# Every setting, with its default. Copy to .env and uncomment what you change.\n\n${entries.join('\n')}`
}

function settingsTable(): string {
  const rows = shown.map(
    ({ name, why, defaultText, defaultNote }) =>
      `| \`${name}\` | ${defaultNote ?? (defaultText ? `\`${defaultText}\`` : 'none')} | ${why} |`,
  )
  return ['| setting | default | what it is for |', '|---|---|---|', ...rows].join('\n')
}

function pageWithTable(page: string): string {
  const place = /(?<=<!-- settings -->\n)[^]*(?=\n<!-- \/settings -->)/
  if (!place.test(page)) throw new Error('docs/settings.md lacks the marker of its table: <!-- settings -->')
  return page.replace(place, settingsTable)
}

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const current = (name: string) => {
  try {
    return readFileSync(path(name), 'utf8')
  } catch {
    return ''
  }
}

const generated: Readonly<Record<string, string>> = {
  'openapi.json': await openApiDocument(),
  '.env.example': environmentExample(),
  'docs/settings.md': pageWithTable(current('docs/settings.md')),
}
const stale = Object.entries(generated).filter(([name, content]) => current(name) !== content)

if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`${name} is stale: npm run generate`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const [name, content] of stale) writeFileSync(path(name), content)
  console.log(stale.length > 0 ? `Wrote ${stale.map(([name]) => name).join(', ')}.` : 'Everything is up to date.')
}
