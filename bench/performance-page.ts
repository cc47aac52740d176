import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { version } from '../src/lib/process/version.ts'

const page = new URL('../docs/performance.md', import.meta.url)
const BEGIN = '<!-- measured by npm run bench -->'
const END = '<!-- end of what was measured -->'

/** Date, command, versions and machine of a run. */
export function describeRun(args: readonly string[]): string[] {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  }).trim()
  const peers = Object.entries(dependencies).map(([name, of]) => `${name} ${of}`)
  const [cpu] = cpus()
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, \`npm run bench${args.length > 0 ? ` -- ${args.join(' ')}` : ''}\``,
    `paylink-auth ${version} (${commit}), Node ${process.version}, SQLite ${process.versions['sqlite']}; ${peers.join(', ')}`,
    `${cpus().length} processors (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}; load generator, PostgreSQL and target on the same machine`,
  ]
}

/** Replaces the text between the markers of docs/performance.md. */
export function writePage(notes: readonly string[], tables: string): void {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (before === undefined || after === undefined) throw new Error('docs/performance.md has no markers')
  const measured = [...notes.map((note) => `- ${note}`), '', tables].join('\n')
  writeFileSync(page, `${before}${BEGIN}\n\n${measured}\n\n${END}${after}`)
}
