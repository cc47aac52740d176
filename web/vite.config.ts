import { join, relative } from 'node:path'
import { defineConfig } from 'vite'
import { pageList } from './src/page-list.ts'

export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined assets would be data: URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Otherwise the chunk that both entries share is named after one of its modules.
      output: { chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? '[name]' : 'shared'}-[hash].js` },
    },
  },
  plugins: [
    {
      name: 'pages',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.values(pageList)) })
      },
    },
    {
      // The modules in the bundle: the build of dist derives the licence notices from them.
      name: 'modules',
      generateBundle(_options, bundle) {
        const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
        const paths = modules.map((id) => relative(join(import.meta.dirname, '..'), id))
        this.emitFile({ type: 'asset', fileName: 'modules.json', source: JSON.stringify(paths.toSorted()) })
      },
    },
  ],
  logLevel: 'warn',
})
