import { findRatesAgeMs } from '../../src/domain/payment-links/rates-age.ts'
import type { Config } from '../../src/config/settings.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { withDatabase } from '../command.ts'

/** No run of days without banking is longer; two days later the rates are no longer used. */
const OLD_AFTER_DAYS = 6

/** Whether amounts of payment links can be converted. */
export async function checkRates(config: Config): Promise<Readonly<{ ok: boolean; says: string }>> {
  const { exchangeRatesUrl: url, hasDevelopmentPages } = config
  const remedy =
    url === 'off'
      ? 'Load them with `paylink-auth rates load FILE`'
      : `Check that this machine reaches ${url.host}; the service’s log has the cause`
  try {
    const ageMs = await withDatabase(config, ({ db, clock }) => findRatesAgeMs(db, clock.now()))
    if (ageMs === undefined) {
      const isMeant = url === 'off' || hasDevelopmentPages
      return {
        ok: isMeant,
        says: `none: amounts in another currency are ${hasDevelopmentPages ? 'samples' : 'null'}. ${remedy}.`,
      }
    }
    const days = Math.floor(ageMs / DAY_MS)
    const age = `${days} ${days === 1 ? 'day' : 'days'} old`
    return days < OLD_AFTER_DAYS
      ? { ok: true, says: age }
      : { ok: false, says: `${age}, and not used from eight on. ${remedy}.` }
  } catch {
    return { ok: true, says: 'not checked: the database does not answer' }
  }
}
