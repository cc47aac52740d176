/** What the package says of itself: its version, as the OpenAPI document and `--version` say it, and its oldest Node. */
import { readFileSync } from 'node:fs'
import { packageRoot } from './package-root.ts'

const manifest = readFileSync(new URL('package.json', packageRoot), 'utf8')

/** Semantic version, for example `1.2.3`; and the versions of Node that it runs on, for example `{ node: '>=24' }`. */
export const { version, engines } = JSON.parse(manifest) as { version: string; engines: { node: string } }
