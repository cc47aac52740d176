/** How the web app is built: one page, one script, one style sheet, named by their content. */
import { defineConfig } from 'vite'

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
  logLevel: 'warn',
})
