import { join, relative } from 'node:path'
import { defineConfig } from 'vite'
import type { UserConfig } from 'vite'
import { oneLanguage } from './one-language.ts'
import type { Language } from './src/language.ts'
import { pageBuild } from './page-build.ts'
import { pageList } from './src/page-list.ts'

const waiting = {
  en: 'Loading… If nothing appears, reload this page.',
  ro: 'Se încarcă… Dacă nu apare nimic, reîncarcă pagina.',
}
const withoutScript = {
  en: 'This page needs JavaScript. Turn it on, or open the page in another browser.',
  ro: 'Această pagină are nevoie de JavaScript. Activează-l sau deschide pagina în alt browser.',
}

/** The web app in the language that is the mode. Both are built into one folder and share style sheets and images. */
export default defineConfig(({ mode }) => {
  if (mode !== 'en' && mode !== 'ro') throw new Error('The mode is the language: en or ro')
  return webAppIn(mode)
})

function webAppIn(language: Language): UserConfig {
  return {
    root: import.meta.dirname,
    define: { BUILD_LANGUAGE: JSON.stringify(language) },
    build: {
      ...pageBuild,
      rolldownOptions: {
        output: {
          entryFileNames: `assets/[name].${language}-[hash].js`,
          // Otherwise the chunk that both entries share is named after one of its modules.
          chunkFileNames: ({ isDynamicEntry }) =>
            `assets/${isDynamicEntry ? '[name]' : 'shared'}.${language}-[hash].js`,
        },
      },
    },
    plugins: [
      oneLanguage(language),
      {
        name: 'page-words',
        transformIndexHtml: (html) =>
          html
            .replace('{{language}}', language)
            .replace('{{waiting}}', waiting[language])
            .replace('{{withoutScript}}', withoutScript[language]),
      },
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
          const source = JSON.stringify(paths.toSorted())
          this.emitFile({ type: 'asset', fileName: `modules.${language}.json`, source })
        },
      },
    ],
    logLevel: 'warn',
  }
}
