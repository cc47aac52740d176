/** The version of the package, as the OpenAPI document and `--version` say it. */
import { readFileSync } from 'node:fs'

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')

/** Semantic version, for example `1.2.3`. */
export const { version } = JSON.parse(manifest) as { version: string }
