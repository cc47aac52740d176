/** Builds the web app into `web/dist`, unless what is there was built from the very same sources. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'web/dist')
const stamp = join(dist, 'built-from')

// The published package has no sources: it ships what was built of them.
if (existsSync(join(root, 'web/src'))) await buildUnlessFresh()

async function buildUnlessFresh(): Promise<void> {
  const sources = digestOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  // Only here: it is a development dependency, and takes longer to load than all the rest.
  const { build } = await import('vite')
  await build({ configFile: join(root, 'web/vite.config.ts') })
  compress(join(dist, 'assets'))
  // Last: a build that was cut short is done again.
  writeFileSync(stamp, sources)
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  const paths = ['package-lock.json', 'scripts/build-web.ts', ...globSync('web/**/*', { cwd: root, exclude: ['web/dist'] })]
  for (const path of paths.toSorted()) {
    const file = join(root, path)
    if (/\.\w+$/.test(path)) hash.update(`${path}\n`).update(readFileSync(file))
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
