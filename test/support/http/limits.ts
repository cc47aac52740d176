/** A service with the rate limits of production, whose callers come from any network a test likes. */
import { settings } from '../../../src/config/settings.ts'

/** Settings for `startService`: the documented counts, not the hundredfold ones of development. */
export const productionLimits: Readonly<Record<string, string>> = {
  RATE_LIMITS: 'on',
  ...Object.fromEntries(
    Object.values(settings)
      .filter(({ name }) => name.startsWith('RATE_LIMIT_'))
      .map(({ name, defaultText }) => [name, defaultText ?? '']),
  ),
  TRUST_PROXY: '127.0.0.1',
}

/** The header fields by which a proxy says that a call comes from this address. */
export const from = (address: string) => ({ 'x-forwarded-for': address })
