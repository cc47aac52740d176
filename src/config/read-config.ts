import { existsSync } from 'node:fs'
import { readOrCreateSecret } from '../lib/data-folder.ts'
import { systemRandom } from '../lib/random.ts'
import { ConfigError, loadConfig } from './load-config.ts'
import type { Config } from './settings.ts'

/** Reads the environment, and `.env` in the working directory. */
export function readConfig(): Config {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
  } catch {
    throw new ConfigError(['.env exists but cannot be read'])
  }
  return loadConfig(process.env, (dataDir) => readOrCreateSecret(dataDir, systemRandom))
}
