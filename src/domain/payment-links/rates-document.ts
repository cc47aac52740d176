/** The National Bank of Romania's document of reference rates: accepted as a whole, or refused. */
import { Big } from 'big.js'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { currencies } from './currency.ts'
import type { RateOfDay } from './exchange-rate-store.ts'

export class RatesDocumentError extends Error {
  constructor(why: string) {
    super(`The document of exchange rates ${why}`)
    this.name = 'RatesDocumentError'
  }
}

// The needed part of https://www.bnr.ro/xsd/nbrfxrates.xsd; several days are several cubes. Currencies that payment
// links do not use are not checked.
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

/** Plausible range of a rate in RON: wider than any rate so far, and narrow enough for every amount to stay exact. */
const LEAST = new Big('0.001')
const MOST = new Big('9999')

const parser = new XMLParser({
  ignoreAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  attributeNamePrefix: '@',
  // Parsing a number as a float would change it.
  parseTagValue: false,
  parseAttributeValue: false,
  // Entities declared by a document can exhaust the memory.
  processEntities: false,
  alwaysCreateTextNode: false,
  isArray: (name) => name === 'Cube' || name === 'Rate',
})

/** Tolerance for a rate's day being ahead of the clock: it may already be past midnight elsewhere. */
const MAX_AHEAD_MS = 24 * 3600 * 1000

/**
 * Reads the rates of the currencies that payment links use.
 * @param nowMs later days are refused
 * @throws {RatesDocumentError} none of the document may be used
 */
export function readRatesDocument(xml: string, nowMs: number): RateOfDay[] {
  const cubes = cubesOf(xml)
  if (new Set(cubes.map((cube) => cube['@date'])).size < cubes.length) throw new RatesDocumentError('has a day twice.')
  return cubes.flatMap(({ '@date': date, Rate: rates }) => {
    if (!isDay(date) || Date.parse(date) > nowMs + MAX_AHEAD_MS) {
      throw new RatesDocumentError('has a day that does not exist or is in the future.')
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
    throw new RatesDocumentError(`does not have the bank’s format at ${error?.instancePath || 'its root'}.`)
  }
  return document.DataSet.Body.Cube
}

function parsed(xml: string): unknown {
  try {
    if (XMLValidator.validate(xml) === true) return parser.parse(xml)
  } catch {
    // The parser's message may contain content of the document.
  }
  throw new RatesDocumentError('is not well-formed XML.')
}

// Whether the day exists: `Date.parse` reads 30 February as 2 March.
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
    throw new RatesDocumentError(`has a rate for ${currency} on ${date} that is not plausible.`)
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
