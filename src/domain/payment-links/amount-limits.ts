/** The amounts for which a key's token may create payment links. */
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { utcDay } from '../../lib/clock.ts'
import { findDailyLimits } from '../keys/restrictions/restriction-descent.ts'
import { addAmount, findAmountsOfDay } from '../keys/restrictions/restriction-store.ts'
import { allowedCurrencies, parseRestrictions } from '../keys/restrictions/restrictions.ts'
import { findKeysById } from '../keys/key-store.ts'
import type { Caller } from '../sign-in/authority.ts'
import { formatAmount } from './currency.ts'
import type { Currency } from './currency.ts'

type NewAmount = Readonly<{ amount: number; currency: Currency; nowMs: number }>

/**
 * Counts a payment link towards the limits of the caller's key and of the keys above it. The caller holds the user's
 * lock, so that concurrent links are counted one after the other.
 * @throws {ApiError} `AMOUNT_NOT_ALLOWED`; nothing is counted
 */
export async function countAmount(
  trx: Transaction,
  { userId, apiKeyId }: Caller,
  { amount, currency, nowMs }: NewAmount,
): Promise<void> {
  if (apiKeyId === null) return
  const [key] = await findKeysById(trx, userId, [apiKeyId])
  // Read under the lock: the key may have been narrowed since the guard.
  const restrictions = parseRestrictions(key?.effective_restrictions ?? null)
  const day = utcDay(nowMs)
  if (key !== undefined && restrictions !== null) {
    const allowed = allowedCurrencies(restrictions)
    if (!allowed.includes(currency)) throw refused(currencyMessage(allowed))
    const max = restrictions.maxAmount?.[currency]
    if (max !== undefined && amount > max)
      throw refused(`This API key can create payment links of at most ${formatAmount(max, currency)} each.`)
    if (restrictions.dailyAmount !== undefined) {
      const made = await findAmountsOfDay(trx, userId, { day, currency })
      for (const { amounts, used } of await findDailyLimits(trx, key, made)) {
        const limit = amounts[currency] ?? 0
        if (used + amount <= limit) continue
        const left = formatAmount(Math.max(0, limit - used), currency)
        throw refused(
          `This API key and the keys that share its limit can create payment links of at most ${formatAmount(limit, currency)} a day (UTC): ${left} is left today.`,
        )
      }
    }
  }
  await addAmount(trx, { key_id: apiKeyId, day, currency, amount, user_id: userId })
}

const currencyMessage = (allowed: readonly Currency[]): string =>
  allowed.length === 0
    ? 'This API key can create payment links in no currency.'
    : `This API key can create payment links only in ${allowed.join(', ')}: set \`X-Currency\`.`

const refused = (message: string): ApiError => new ApiError('AMOUNT_NOT_ALLOWED', { message })
