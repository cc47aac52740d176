import { join } from 'node:path'
import { defineConfig } from 'vite'
import { pageBuild } from './page-build.ts'

/** The template of a payment link's page, with its style sheet and script; the service fills it in, in both languages. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ...pageBuild,
    rolldownOptions: { input: join(import.meta.dirname, 'pay.html') },
  },
  logLevel: 'warn',
})
