/** Type-checks TypeScript code blocks of the documentation, as browser modules or as Node programs. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const compilerOptions = {
  target: 'esnext',
  module: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  moduleDetection: 'force',
}

const root = join(import.meta.dirname, '..')

/** Options for pages about `@paylink-auth/client`: a Node program with the client and our packages. */
export const asProgram = {
  types: ['node'],
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  paths: {
    '@paylink-auth/client': [join(root, 'sdk/src/index.ts')],
    '@paylink-auth/client/*': [join(root, 'sdk/src/*.ts')],
  },
}

/** TypeScript code blocks with the line of the page at which each begins. */
export function snippetsIn(markdown: string): Readonly<{ line: number; code: string }>[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => ({
    line: markdown.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/**
 * Each block is checked separately.
 * @param pages Markdown texts by path
 * @param further compiler options that differ from a browser's
 * @returns the compiler's errors, with paths and lines of the pages
 */
export function problemsInSnippets(pages: ReadonlyMap<string, string>, further: object = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'))
  try {
    const sources = [...pages].flatMap(([path, markdown]) =>
      snippetsIn(markdown).map(({ line, code }) => ({ path, line, code })),
    )
    for (const [index, { line, code }] of sources.entries()) {
      // Padded with empty lines, so that the compiler reports the page's line numbers.
      writeFileSync(join(folder, `${index}.ts`), '\n'.repeat(line - 1) + code)
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...further }, include: ['*.ts'] }),
    )
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = spawnSync(tsc, ['-p', folder, '--pretty', 'false', '--checkers', '1'], {
      cwd: folder,
      encoding: 'utf8',
      // Without garbage collection: the compiler ends within a second.
      env: { ...process.env, GOGC: 'off' },
    })
    return stdout.split('\n').flatMap((complaint) => {
      const [, index, rest] = /^(\d+)\.ts(.*)$/.exec(complaint) ?? []
      return index === undefined ? [] : [`${sources[Number(index)]?.path}${rest}`]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
