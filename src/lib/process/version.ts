import { readFileSync } from 'node:fs'
import { packageRoot } from './package-root.ts'

const manifest = readFileSync(new URL('package.json', packageRoot), 'utf8')

/** The package's version, and the supported Node versions, for example `{ node: '>=24' }`. */
export const { version, engines } = JSON.parse(manifest) as { version: string; engines: { node: string } }
