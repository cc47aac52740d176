/** Builds the web app and the documentation into `web/dist`, and skips what is up to date. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'web/dist')
const documentation = join(dist, 'documentation')

// The published package contains the build and not the sources.
if (existsSync(join(root, 'web/src'))) {
  await buildUnlessFresh(dist, ['web/**/*'], async () => {
    // Imported lazily: vite is a development dependency, and takes longer to load than everything else.
    const { build } = await import('vite')
    rmSync(dist, { recursive: true, force: true })
    for (const language of ['en', 'ro'] as const) {
      await build({ configFile: join(root, 'web/vite.config.ts'), mode: language })
      renameSync(join(dist, 'index.html'), join(dist, `index.${language}.html`))
    }
    await build({ configFile: join(root, 'web/pay.config.ts') })
    compress(join(dist, 'assets'))
  })
  // After the web app, whose build deletes the folder.
  const texts = [
    '*.md',
    'docs/**/*.md',
    'sdk/README.md',
    'openapi.json',
    'deploy/*',
    'scripts/docs/*',
    'web/src/{*,docs/*}',
  ]
  await buildUnlessFresh(documentation, texts, async () => {
    const { buildDocs } = await import('./docs/build-docs.ts')
    await buildDocs(root, documentation)
  })
}

async function buildUnlessFresh(
  folder: string,
  patterns: readonly string[],
  build: () => Promise<void>,
): Promise<void> {
  const stamp = join(folder, 'built-from')
  const sources = digestOf(['package-lock.json', 'scripts/build-web.ts', ...patterns])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  await build()
  // Written last, so that an interrupted build is repeated.
  writeFileSync(stamp, sources)
}

function digestOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync([...patterns], { cwd: root, exclude: ['web/dist'] }).toSorted()) {
    if (/\.\w+$/.test(path)) hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}
