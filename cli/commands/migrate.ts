import { createLog } from '../../src/lib/log.ts'
import { writeLine } from '../../src/lib/text/terminal.ts'
import { migrateDatabase } from '../../src/core.ts'
import { isEvenThoughMoved, readSettings } from './settings.ts'

export async function migrateSchema(): Promise<void> {
  const config = readSettings()
  const applied = await migrateDatabase(config, createLog(config.logLevel), isEvenThoughMoved())
  writeLine(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
}
