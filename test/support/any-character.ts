import * as fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800

/** One code point except lone surrogates. fast-check's `binary` takes most of a second to build its tables. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < SURROGATES_FROM ? n : n + SURROGATES))
