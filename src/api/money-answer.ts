/** Money in responses: always `{ value, currency }`, with the original and the rate beside an amount that is converted. */
import { Type } from 'typebox'
import { currencies } from '../domain/payment-links/currency.ts'
import { rateSources } from '../domain/payment-links/conversion.ts'

export const MoneyAnswer = Type.Object(
  {
    value: Type.Integer({ description: 'In minor units: 1050 is 10.50.' }),
    currency: Type.Enum([...currencies], { title: 'Currency' }),
  },
  { title: 'Money' },
)

const ExchangeRateAnswer = Type.Object(
  {
    rate: Type.String({
      description:
        'Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient.',
    }),
    date: Type.String({ format: 'date' }),
    source: Type.Enum([...rateSources], {
      description: 'BNR: National Bank of Romania. SAMPLE: not a real rate; in development only.',
    }),
  },
  { title: 'ExchangeRate' },
)

/** The fields of a resource with an amount. */
export const amountFields = {
  amount: Type.Union([MoneyAnswer, Type.Null()], {
    description: 'In the currency of the call. Null: no exchange rate of the last seven days is available.',
  }),
  original: MoneyAnswer,
  exchangeRate: Type.Union([ExchangeRateAnswer, Type.Null()], { description: 'Null: the amount was not converted.' }),
}
