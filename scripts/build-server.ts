/** Builds `dist`, the package that is shipped: the service in a few files, the web app, and what an operator needs. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { billOfMaterials, noticesOf, packagesOf } from './bundled-packages.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>

/** What goes along as it is. `web/dist` and the files of the development pages are read when the service runs. */
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
/** What the web app's build leaves for builds. */
const OF_BUILDS = new Set(['built-from', 'modules.json'])

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const path of [...COPIED, ...DEVELOPMENT_PAGES]) {
  cpSync(join(root, path), join(dist, path), { recursive: true, filter: (from) => !OF_BUILDS.has(basename(from)) })
}

const bundle = await rolldown({
  cwd: root,
  input: { 'paylink-auth': 'cli/paylink-auth.ts' },
  platform: 'node',
  // pg asks for the first two if they are there. The last is a development dependency: a provider that believes
  // whatever one types has no place in what is shipped, and the service does without where it is not installed.
  external: ['pg-native', 'pg-cloudflare', 'oidc-provider'],
  onLog(level, log, write) {
    if (level === 'warn') throw new Error(log.message)
    write(level, log)
  },
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  // One character beyond Latin-1, also in a comment, and V8 keeps the text of the whole file at two bytes each.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
})
await bundle.close()

const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
const ofWebApp = JSON.parse(readFileSync(join(root, 'web/dist/modules.json'), 'utf8')) as string[]
const packages = packagesOf([...modules, ...ofWebApp.map((path) => join(root, path))])
const { name = '', version = '', description, type, license, engines } = manifest
// So that a link to it is a command, also where the package was only unpacked.
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
