/**
 * `build-server.ts [FOLDER]` builds the shipped package, by default into `dist`: the bundled service, the web app, and
 * operators' files.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { THREADS } from '../src/lib/process/threads.ts'
import { billOfMaterials, noticesOf, packagesOf } from './bundled-packages.ts'

const root = join(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>

/** Copied unchanged. The service reads `web/dist` and the development pages' files at run time. */
const COPIED = [
  'web/dist',
  'docs',
  'deploy',
  '.env.example',
  'openapi.json',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
]
const DEVELOPMENT_PAGES = ['page.css', 'gsi.css', 'gsi-client.js', 'gsi-prompt.js'].map((name) => `src/dev/${name}`)
/** Build metadata in `web/dist` that is not shipped. */
const BUILD_METADATA = new Set(['built-from', 'modules.en.json', 'modules.ro.json', 'modules.docs.json'])

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const path of [...COPIED, ...DEVELOPMENT_PAGES]) {
  cpSync(join(root, path), join(dist, path), { recursive: true, filter: (from) => !BUILD_METADATA.has(basename(from)) })
}

const bundle = await rolldown({
  cwd: root,
  input: { 'paylink-auth': 'cli/paylink-auth.ts', ...Object.fromEntries(THREADS.map((path) => [path, `${path}.ts`])) },
  platform: 'node',
  // pg imports the first two if installed. oidc-provider is a development dependency: a provider that accepts any
  // address must not be shipped, and the service works without it.
  external: ['pg-native', 'pg-cloudflare', 'oidc-provider'],
  onLog(level, log, write) {
    if (level === 'warn') throw new Error(log.message)
    write(level, log)
  },
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  // A single character beyond Latin-1, even in a comment, makes V8 store the whole file in two bytes per character.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
})
await bundle.close()

const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
const lists = ['modules.en.json', 'modules.ro.json', 'documentation/modules.docs.json']
const inBrowser = lists.flatMap((list) => JSON.parse(readFileSync(join(root, 'web/dist', list), 'utf8')) as string[])
const packages = packagesOf([...modules, ...inBrowser.map((path) => join(root, path))])
const { name = '', version = '', description, type, license, engines } = manifest
// Executable, so that a link to it is a command even in an unpacked package.
chmodSync(join(dist, 'paylink-auth.js'), 0o755)
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages))
writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(name, version, packages))
const shipped = {
  name,
  version,
  description,
  type,
  private: true,
  license,
  engines,
  bin: { [name]: 'paylink-auth.js' },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`)
