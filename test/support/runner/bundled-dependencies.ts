/**
 * Serves dependencies of test files from a few bundles: loading their thousand modules one by one takes a third of the
 * processor time of most test files. For `node --import`: the test runner loads it first and passes it on to every test
 * file, so that the bundle is built once per package-lock.json.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
const SUBPATHS = ['kysely/migration', 'typebox/compile', 'typebox/schema', 'typebox/value']
const OF_TESTS = ['postal-mime', 'smtp-server']
/** Has no module of its own name, and few tests load its parts. */
const UNBUNDLED = '@modelcontextprotocol/sdk'
const specifiers = [...Object.keys(manifest.dependencies), ...SUBPATHS, ...OF_TESTS].filter(
  (name) => name !== UNBUNDLED,
)

const made = createHash('sha256')
for (const path of [
  import.meta.filename,
  join(import.meta.dirname, 'bundle-dependencies.ts'),
  join(root, 'package-lock.json'),
]) {
  made.update(readFileSync(path))
}
const cache = join(root, 'node_modules/.cache')
const folder = join(cache, `dependencies-${made.digest('hex').slice(0, 16)}`)
const fileOf = (specifier: string) => `${specifier.replaceAll('/', '__')}.mjs`

if (!existsSync(folder)) {
  const { bundleDependencies } = await import('./bundle-dependencies.ts')
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'dependencies-'))
  await bundleDependencies(new Map(specifiers.map((specifier) => [fileOf(specifier), specifier])), unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process built it first.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

const urls = new Map(specifiers.map((name) => [name, pathToFileURL(join(folder, fileOf(name))).href]))
registerHooks({
  resolve(specifier, context, next) {
    // Imports inside node_modules may resolve to other versions.
    const url = context.parentURL?.includes('/node_modules/') ? undefined : urls.get(specifier)
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
})
