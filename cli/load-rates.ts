/** `paylink-auth rates load FILE`: brings exchange rates from a document of the National Bank of Romania. */
import { readFileSync } from 'node:fs'
import { openDatabase } from '../src/db/open.ts'
import { keepDocument } from '../src/features/payment-links/load-rates.ts'
import { RatesDocumentError } from '../src/features/payment-links/rates-document.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createLog } from '../src/lib/log.ts'
import { orExplain, readConfig } from '../src/main.ts'

/** Loads it. @returns the exit code */
export async function loadRates(path: string): Promise<number> {
  let exitCode = 0
  await orExplain(async () => {
    let xml: string
    try {
      xml = readFileSync(path, 'utf8')
    } catch (error) {
      console.error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
      exitCode = 1
      return
    }
    const config = readConfig()
    const db = openDatabase(config, createLog(config.logLevel))
    try {
      const rates = await keepDocument(db, xml, systemClock.now())
      for (const { currency, date, ronPerUnit } of rates) console.log(`${date}  1 ${currency} = ${ronPerUnit} RON`)
    } catch (error) {
      if (!(error instanceof RatesDocumentError)) throw error
      console.error(`${path}: ${error.message} Nothing was changed.`)
      exitCode = 1
    } finally {
      await db.destroy()
    }
  })
  return exitCode
}
