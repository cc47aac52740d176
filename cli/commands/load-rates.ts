import { readFileSync } from 'node:fs'
import { openDatabase } from '../../src/database/open.ts'
import { upsertRates } from '../../src/domain/payment-links/exchange-rate-store.ts'
import { RatesDocumentError, readRatesDocument } from '../../src/domain/payment-links/rates-document.ts'
import type { RateOfDay } from '../../src/domain/payment-links/exchange-rate-store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { OperatorError } from '../../src/lib/process/operator-error.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { migrateDatabase } from '../../src/core.ts'
import { isEvenThoughMoved, readSettings } from './settings.ts'

export type RatesOptions = Readonly<{ json?: boolean }>

/** Creates and migrates the database if needed. @throws {OperatorError} when nothing was changed */
export async function loadRates(path: string, { json }: RatesOptions = {}): Promise<void> {
  const config = readSettings()
  const rates = read(path)
  const log = createLog(config.logLevel)
  await migrateDatabase(config, log, isEvenThoughMoved())
  const db = openDatabase(config, log)
  try {
    await db.transaction((trx) => upsertRates(trx, rates))
  } finally {
    await db.close()
  }
  if (json) return writeJson({ rates })
  for (const { currency, date, ronPerUnit } of rates) writeLine(`${date}  1 ${currency} = ${ronPerUnit} RON`)
}

function read(path: string): RateOfDay[] {
  try {
    return readRatesDocument(readFileSync(path, 'utf8'), systemClock.now())
  } catch (error) {
    if (error instanceof RatesDocumentError) throw new OperatorError(`${path}: ${error.message} Nothing was changed.`)
    throw new OperatorError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
