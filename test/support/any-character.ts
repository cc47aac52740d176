/** Texts of any characters, for properties: every code point of Unicode but lone surrogates. */
import * as fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800

/** One code point; as `unit` of `fc.string`. What fast-check calls `binary`, whose tables take most of a second to make. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < SURROGATES_FROM ? n : n + SURROGATES))
