/** The version of the package, as the OpenAPI document and `--version` say it. */
import { readFileSync } from 'node:fs'
import { packageRoot } from './lib/package-root.ts'

const manifest = readFileSync(new URL('package.json', packageRoot), 'utf8')

/** Semantic version, for example `1.2.3`. */
export const { version } = JSON.parse(manifest) as { version: string }
