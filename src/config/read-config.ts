import { readOrCreateSecret } from '../lib/process/data-folder.ts'
import { systemRandom } from '../lib/random.ts'
import { addEnvironmentFile } from './environment-file.ts'
import type { EnvironmentSource } from './environment-file.ts'
import { loadConfig } from './load-config.ts'
import type { Config } from './settings.ts'

/** Adds a settings file to the environment of this process: the named one, or a default one that exists. */
export const readEnvironmentFile = (named?: string): EnvironmentSource => addEnvironmentFile(process.env, named)

export const readConfig = (): Config => loadConfig(process.env, (dataDir) => readOrCreateSecret(dataDir, systemRandom))
