import type { BuildOptions } from 'vite'

/** What every build into `web/dist` has. */
export const pageBuild: BuildOptions = {
  target: 'es2023',
  outDir: 'dist',
  emptyOutDir: false,
  // Inlined assets would be data: URLs, which the Content-Security-Policy forbids.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
}
