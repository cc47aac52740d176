/**
 * Checks input and writes answers by the routes' schemas. Each is compiled at its first use: compiling all of them
 * takes 28 % of the processor time of a start, and 9 MiB (docs/decisions/0038).
 */
import { Ajv } from 'ajv'
import type { AnySchema, AnyValidateFunction } from 'ajv/dist/core.js'
import addFormats from 'ajv-formats'
import stringifier from 'fast-json-stringify'
import type { Schema } from 'fast-json-stringify'
import { formats } from '../input.ts'

/** A part of a route, as the framework gives it. */
type RoutePart = Readonly<{ schema: unknown }>

/**
 * For the server's `schemaController`. Input is taken as it is: nothing is converted, completed or left out. Schemas of
 * header fields name them in lower case, which the framework sees to only with a validator of its own.
 */
export const compilersFactory = { buildValidator, buildSerializer }

function buildValidator() {
  // The schemas themselves are checked with the document made from them, and not at every start.
  const ajv = new Ajv({ validateSchema: false, addUsedSchema: false, formats })
  addFormats.default(ajv, ['date-time'])
  return (part: unknown) => {
    let compiled: AnyValidateFunction | undefined
    const validate = (input: unknown) => {
      compiled ??= ajv.compile((part as RoutePart).schema as AnySchema)
      const isValid = compiled(input)
      validate.errors = compiled.errors
      return isValid
    }
    validate.errors = undefined as AnyValidateFunction['errors']
    // What the framework declares is more than what it asks for: a function with `errors`.
    return validate as AnyValidateFunction
  }
}

function buildSerializer() {
  return (part: unknown) => {
    let compiled: ((answer: unknown) => string) | undefined
    return (answer: unknown) => (compiled ??= stringifier((part as RoutePart).schema as Schema))(answer)
  }
}
