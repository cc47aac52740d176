/** The National Bank of Romania's document of reference rates: read whole and checked, or refused. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { currencies } from '../../http/currency.ts'
import type { RateOfDay } from './exchange-rate-store.ts'

/** A document that is not what it should be; the message says what is wrong with it. */
export class RatesDocumentError extends Error {
  constructor(why: string) {
    super(`The document of exchange rates ${why}`)
    this.name = 'RatesDocumentError'
  }
}

// https://www.bnr.ro/xsd/nbrfxrates.xsd, as far as it is needed; several days are several cubes.
const Document = Type.Object({
  DataSet: Type.Object({
    Body: Type.Object({
      OrigCurrency: Type.Literal('RON'),
      Cube: Type.Array(
        Type.Object({
          '@date': Type.String({ pattern: String.raw`^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$` }),
          Rate: Type.Array(
            Type.Object({
              '@currency': Type.String({ pattern: '^[A-Z]{3}$' }),
              '@multiplier': Type.Optional(Type.Enum(['1', '10', '100', '1000'])),
              '#text': Type.String({ pattern: String.raw`^\d{1,6}(\.\d{1,8})?$` }),
            }),
            { minItems: 1 },
          ),
        }),
        { minItems: 1 },
      ),
    }),
  }),
})

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  // A number read as a float is no longer the number that was written.
  parseTagValue: false,
  parseAttributeValue: false,
  // No entity of a document's own: they can be made to fill the memory.
  processEntities: false,
  alwaysCreateTextNode: false,
  isArray: (name) => name === 'Cube' || name === 'Rate',
})

/** How far ahead of the clock a rate's day may be, in milliseconds: on the other side of midnight. */
const AHEAD_MS = 24 * 3600 * 1000

/**
 * Reads the rates of the currencies that payment links know.
 * @param nowMs no day may be later
 * @throws {RatesDocumentError} and then none of it is to be used
 */
export function readRatesDocument(xml: string, nowMs: number): RateOfDay[] {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new RatesDocumentError('declares entities.')
  if (XMLValidator.validate(xml) !== true) throw new RatesDocumentError('is not well-formed XML.')
  const document: unknown = parser.parse(xml)
  if (!Value.Check(Document, document)) {
    const [error] = Value.Errors(Document, document)
    throw new RatesDocumentError(`is not of the bank’s form at ${error?.instancePath || 'its root'}.`)
  }
  return document.DataSet.Body.Cube.flatMap(({ '@date': date, Rate: rates }) => {
    if (Number.isNaN(Date.parse(date)) || Date.parse(date) > nowMs + AHEAD_MS) {
      throw new RatesDocumentError('has a day that is not there, or not yet.')
    }
    return currencies.filter((currency) => currency !== 'RON').map((currency) => {
      const [rate, second] = rates.filter((one) => one['@currency'] === currency)
      if (rate === undefined || second !== undefined) throw new RatesDocumentError(`does not have one rate for ${currency} on ${date}.`)
      const ronPerUnit = divided(rate['#text'], rate['@multiplier'] ?? '1')
      if (/^[0.]*$/.test(ronPerUnit)) throw new RatesDocumentError(`has a rate of zero for ${currency}.`)
      return { currency, date, ronPerUnit }
    })
  })
}

// A multiplier is a power of ten, so the quotient is exact.
function divided(rate: string, multiplier: string): string {
  const zeros = multiplier.length - 1
  if (zeros === 0) return rate
  const [whole = '', decimals = ''] = rate.split('.')
  const padded = whole.padStart(zeros + 1, '0')
  return `${padded.slice(0, -zeros)}.${padded.slice(-zeros)}${decimals}`
}
