/** Bundles packages into one file each, plus shared chunks: see `bundled-dependencies.ts`. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { types } from 'node:util'
import { rolldown } from 'rolldown'

const require = createRequire(import.meta.url)
const ENTRY = '\0entry:'

/** @param specifiers by the name of the file that re-exports them */
export async function bundleDependencies(specifiers: ReadonlyMap<string, string>, folder: string): Promise<void> {
  const sources = new Map<string, string>()
  for (const [file, specifier] of specifiers) {
    // Listed by running it: a bundler does not see the exports of a CommonJS module.
    const exported = require(fileURLToPath(import.meta.resolve(specifier))) as object
    const names = new Set(Object.keys(exported))
    if (!types.isModuleNamespaceObject(exported)) names.add('default')
    names.delete('__esModule')
    sources.set(ENTRY + file, `export { ${[...names].join(', ')} } from '${specifier}'`)
  }
  const bundle = await rolldown({
    input: Object.fromEntries([...specifiers.keys()].map((file) => [file.replace('.mjs', ''), ENTRY + file])),
    platform: 'node',
    external: ['pg-native', 'pg-cloudflare'],
    plugins: [
      {
        name: 'entries',
        resolveId(id, importer) {
          if (sources.has(id)) return id
          return importer?.startsWith(ENTRY) ? this.resolve(id, import.meta.filename) : undefined
        },
        load: (id) => sources.get(id),
      },
    ],
  })
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'shared/[hash].mjs' })
  await bundle.close()
}
