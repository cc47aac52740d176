import { readConfig } from '../src/config/read-config.ts'
import { createLog } from '../src/lib/log.ts'
import { writeLine } from '../src/lib/terminal.ts'
import { migrateDatabase } from '../src/runtime.ts'

export async function migrateSchema(): Promise<void> {
  const config = readConfig()
  const applied = await migrateDatabase(config, createLog(config.logLevel))
  writeLine(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
}
