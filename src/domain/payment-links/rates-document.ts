/** The National Bank of Romania's document of reference rates: read whole and checked, or refused. */
import { Big } from 'big.js'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { currencies } from './currency.ts'
import type { RateOfDay } from './exchange-rate-store.ts'

/** A document that is not what it should be; the message says what is wrong with it. */
export class RatesDocumentError extends Error {
  constructor(why: string) {
    super(`The document of exchange rates ${why}`)
    this.name = 'RatesDocumentError'
  }
}

// https://www.bnr.ro/xsd/nbrfxrates.xsd, as far as it is needed; several days are several cubes. What it
// says of currencies that payment links do not know may be anything.
const Document = Type.Object(
  {
    DataSet: Type.Object({
      Body: Type.Object({
        OrigCurrency: Type.Literal('RON'),
        Cube: Type.Array(
          Type.Object({
            '@date': Type.String({ pattern: String.raw`^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$` }),
            Rate: Type.Array(Type.Object({ '@currency': Type.String() }), { minItems: 1 }),
          }),
          { minItems: 1 },
        ),
      }),
    }),
  },
  { additionalProperties: false },
)

const KnownRate = Type.Object(
  {
    '@currency': Type.Enum([...currencies]),
    '@multiplier': Type.Optional(Type.Enum(['1', '10', '100', '1000'])),
    '#text': Type.String({ pattern: String.raw`^\d{1,6}(\.\d{1,8})?$` }),
  },
  { additionalProperties: false },
)

/** Between which a rate is, in RON: far beyond any there was, and near enough for every amount to stay exact. */
const LEAST = new Big('0.001')
const MOST = new Big('9999')

const parser = new XMLParser({
  ignoreAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
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
  const cubes = cubesOf(xml)
  if (new Set(cubes.map((cube) => cube['@date'])).size < cubes.length) throw new RatesDocumentError('has a day twice.')
  return cubes.flatMap(({ '@date': date, Rate: rates }) => {
    if (!isDay(date) || Date.parse(date) > nowMs + AHEAD_MS) {
      throw new RatesDocumentError('has a day that is not there, or not yet.')
    }
    return currencies
      .filter((currency) => currency !== 'RON')
      .map((currency) => ({ currency, date, ronPerUnit: rateOf(rates, currency, date) }))
  })
}

function cubesOf(xml: string) {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new RatesDocumentError('declares entities.')
  const document = parsed(xml)
  if (!Value.Check(Document, document)) {
    const [error] = Value.Errors(Document, document)
    throw new RatesDocumentError(`is not of the bank’s form at ${error?.instancePath || 'its root'}.`)
  }
  return document.DataSet.Body.Cube
}

function parsed(xml: string): unknown {
  try {
    if (XMLValidator.validate(xml) === true) return parser.parse(xml)
  } catch {
    // What the parser says may have the document's content in it.
  }
  throw new RatesDocumentError('is not well-formed XML.')
}

// A day of the calendar: 30 February would be read as 2 March.
function isDay(date: string): boolean {
  const atMs = Date.parse(date)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date)
}

function rateOf(rates: readonly Readonly<{ '@currency': string }>[], currency: string, date: string): string {
  const [rate, second] = rates.filter((one) => one['@currency'] === currency)
  if (rate === undefined || second !== undefined)
    throw new RatesDocumentError(`does not have one rate for ${currency} on ${date}.`)
  const ronPerUnit = Value.Check(KnownRate, rate) ? divided(rate['#text'], rate['@multiplier'] ?? '1') : undefined
  if (ronPerUnit === undefined || LEAST.gt(ronPerUnit) || MOST.lt(ronPerUnit)) {
    throw new RatesDocumentError(`has a rate for ${currency} on ${date} that cannot be one.`)
  }
  return ronPerUnit
}

// A multiplier is a power of ten, so the quotient is exact.
function divided(rate: string, multiplier: string): string {
  const zeros = multiplier.length - 1
  if (zeros === 0) return rate
  const [whole = '', decimals = ''] = rate.split('.')
  const padded = whole.padStart(zeros + 1, '0')
  return `${padded.slice(0, -zeros)}.${padded.slice(-zeros)}${decimals}`
}
