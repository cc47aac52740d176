/** A service with the rate limits of production, whose callers can come from any network. */
import { settings } from '../../../src/config/settings.ts'

/** Settings for `startService`: the documented limits, not the hundredfold ones of development. */
export const productionLimits: Readonly<Record<string, string>> = {
  RATE_LIMITS: 'on',
  ...Object.fromEntries(
    Object.values(settings)
      .filter(({ name }) => name.startsWith('RATE_LIMIT_'))
      .map(({ name, defaultText }) => [name, defaultText ?? '']),
  ),
  TRUST_PROXY: '127.0.0.1',
}

export const from = (address: string) => ({ 'x-forwarded-for': address })
