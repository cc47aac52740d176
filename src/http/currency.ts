/** The currency context of protected endpoints (specification, section 5, X-Currency). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currencies, DEFAULT_CURRENCY } from '../domain/payment-links/currency.ts'
import type { Currency } from '../domain/payment-links/currency.ts'
import { ApiError } from '../errors.ts'
import { addVary } from './negotiation/vary.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** On public endpoints, the default. */
    currency: Currency
  }
}

/**
 * Sets the call's currency from `X-Currency` and echoes it in the response.
 * @throws {ApiError} `CURRENCY_NOT_SUPPORTED`
 */
export function setCurrencyContext(request: FastifyRequest, reply: FastifyReply): void {
  const header = request.headers['x-currency']
  const currency = header === undefined ? DEFAULT_CURRENCY : currencies.find((code) => code === header)
  addVary(reply, 'X-Currency')
  if (currency === undefined) throw new ApiError('CURRENCY_NOT_SUPPORTED')
  request.currency = currency
  reply.header('x-currency', currency)
}
