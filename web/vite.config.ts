/** How the web app is built: one page, one script, one style sheet, named by their content. */
import { join, relative } from 'node:path'
import { defineConfig } from 'vite'
import { pageList } from './src/page-list.ts'

/** Vite's settings. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // An inlined asset would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What both scripts use would be named after any one of its modules.
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
      // What goes into the built files, for whoever ships them with the notices of their packages.
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
