/** What a key may do, in requests and responses. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { currencies, MAX_MINOR_UNITS } from '../domain/payment-links/currency.ts'
import type { Currency } from '../domain/payment-links/currency.ts'
import { MAX_NETWORKS } from '../domain/keys/restrictions/restrictions.ts'
import { grantableScopes, scopeNames, scopes } from '../domain/keys/restrictions/scopes.ts'
import type { Scope } from '../domain/keys/restrictions/scopes.ts'

const MAX_DAILY_MINOR_UNITS = 999_999_999_999

const currency = Type.Enum([...currencies], { title: 'Currency' })

const amounts = (maximum: number, description: string) => {
  const amount = () => Type.Optional(Type.Integer({ minimum: 1, maximum }))
  const fields = { RON: amount(), EUR: amount(), GBP: amount() } satisfies Record<Currency, unknown>
  return Type.Object(fields, { additionalProperties: false, description })
}

// Two restrictions can allow nothing together: then a list is empty, which nobody can ask for.
const fieldsWith = (minItems: 0 | 1, { names, title }: Readonly<{ names: readonly Scope[]; title: string }>) => ({
  scopes: Type.Optional(
    Type.Array(Type.Enum(names, { title }), {
      minItems,
      maxItems: names.length,
      description: `What the key may do. ${names.map((name) => `\`${name}\`: ${scopes[name]}`).join(' ')}`,
    }),
  ),
  networks: Type.Optional(
    Type.Array(Type.String({ maxLength: 49, format: 'cidr' }), {
      minItems,
      maxItems: MAX_NETWORKS,
      description:
        'From where the key and its tokens work: IPv4 and IPv6 networks in CIDR notation. From elsewhere they get the answer of a wrong secret or an invalid token.',
    }),
  ),
  currencies: Type.Optional(
    Type.Array(currency, {
      minItems,
      maxItems: currencies.length,
      description: 'The currencies in which it may create payment links.',
    }),
  ),
  maxAmount: Type.Optional(
    amounts(
      MAX_MINOR_UNITS,
      'The largest amount of one payment link, in minor units by currency. Other currencies are refused.',
    ),
  ),
  dailyAmount: Type.Optional(
    amounts(
      MAX_DAILY_MINOR_UNITS,
      'The most that the key and the keys created with it may ask for in payment links a day (UTC), in minor units by currency. Other currencies are refused.',
    ),
  ),
})

export const Restrictions = Type.Object(fieldsWith(1, { names: grantableScopes, title: 'Scope' }), {
  additionalProperties: false,
  title: 'KeyRestrictions',
  description: 'An absent field restricts nothing.',
})

export const EffectiveRestrictions = Type.Object(fieldsWith(0, { names: scopeNames, title: 'KeyScope' }), {
  additionalProperties: false,
  title: 'EffectiveKeyRestrictions',
  description:
    'What the key may do, where a key above it, whose token created it, may do less than `restrictions` says. An empty list allows nothing.',
})

export const exampleRestrictions: Static<typeof Restrictions> = {
  scopes: ['payment_links:read', 'payment_links:write'],
  dailyAmount: { EUR: 5000 },
}
