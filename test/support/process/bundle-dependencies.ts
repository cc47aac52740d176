/** Bundles packages into one file each and what they share: see `bundled-dependencies.ts`. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { types } from 'node:util'
import { rolldown } from 'rolldown'

const require = createRequire(import.meta.url)
const ENTRY = '\0entry:'

/**
 * @param specifiers by the name of the file that takes their exports
 * @param folder where the files go
 */
export async function bundleDependencies(specifiers: ReadonlyMap<string, string>, folder: string): Promise<void> {
  const sources = new Map<string, string>()
  for (const [file, specifier] of specifiers) {
    // Named one by one: a bundler does not see what a CommonJS module exports by running.
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
