/** Type-checks the TypeScript of the documentation, as a browser's module would run it, or as the client's users would. */
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
  noEmit: true,
  moduleDetection: 'force',
}

const root = join(import.meta.dirname, '..')

/** For pages about `@paylink-auth/client`: it is there, with our packages, in a program that runs in Node. */
export const asProgram = {
  types: ['node'],
  moduleResolution: 'bundler',
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  paths: {
    '@paylink-auth/client': [join(root, 'sdk/src/index.ts')],
    '@paylink-auth/client/*': [join(root, 'sdk/src/*.ts')],
  },
}

/** The TypeScript in a Markdown text, block by block, with the line each begins at. */
export function snippetsIn(markdown: string): Readonly<{ line: number; code: string }>[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => ({
    line: markdown.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/**
 * Type-checks each snippet by itself.
 * @param pages Markdown texts by path
 * @param further options of the compiler that differ from a browser's
 * @returns the compiler's complaints, at the lines of the pages
 */
export function problemsInSnippets(pages: ReadonlyMap<string, string>, further: object = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'))
  try {
    const sources = [...pages].flatMap(([path, markdown]) =>
      snippetsIn(markdown).map(({ line, code }) => ({ path, line, code })),
    )
    for (const [index, { line, code }] of sources.entries()) {
      // As many empty lines before it as the page has: the compiler then names the page's lines.
      writeFileSync(join(folder, `${index}.ts`), '\n'.repeat(line - 1) + code)
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...further }, include: ['*.ts'] }),
    )
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' })
    return stdout.split('\n').flatMap((complaint) => {
      const [, index, rest] = /^(\d+)\.ts(.*)$/.exec(complaint) ?? []
      return index === undefined ? [] : [`${sources[Number(index)]?.path}${rest}`]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
