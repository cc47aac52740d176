/**
 * Validators and serialisers of the routes' schemas, each compiled on first use: compiling all of them takes 28 % of
 * the processor time of a start, and 9 MiB (docs/decisions/0038).
 */
import { Ajv } from 'ajv'
import type { AnySchema, AnyValidateFunction } from 'ajv/dist/core.js'
import addFormats from 'ajv-formats'
import stringifier from 'fast-json-stringify'
import type { Schema } from 'fast-json-stringify'
import { formats } from '../input.ts'

// ajv-formats also accepts a space for the T, and an offset without a colon, which RFC 3339 and `Date` do not.
const STRICT_DATE_TIME = /^[\d-]{10}T.*(Z|[+-]\d\d:\d\d)$/i
const { validate: isDateTime } = addFormats.default.get('date-time') as { validate: (text: string) => boolean }

type RoutePart = Readonly<{ schema: unknown }>

/**
 * For Fastify's `schemaController`. Input is neither coerced, given defaults, nor stripped. Header schemas must use
 * lower-case names: Fastify lower-cases them only for its built-in validator.
 */
export const compilersFactory = {
  buildValidator: () => (part: unknown) => validatorOf((part as RoutePart).schema as object),
  buildSerializer: () => (part: unknown) => serializerOf((part as RoutePart).schema as object),
}

// A test checks the schemas through the OpenAPI document, so a start does not have to.
// `verbose`: the messages tell the rule of the schema and the form of what was sent.
const ajv = new Ajv({ validateSchema: false, addUsedSchema: false, verbose: true, formats })
ajv.addFormat('date-time', (text: string) => STRICT_DATE_TIME.test(text) && isDateTime(text))

// Servers of one process share what is compiled.
function perSchema<T>(of: (schema: object) => T): (schema: object) => T {
  const made = new WeakMap<object, T>()
  return (schema) => {
    const known = made.get(schema) ?? of(schema)
    made.set(schema, known)
    return known
  }
}

const validatorOf = perSchema((schema) => {
  let compiled: AnyValidateFunction | undefined
  const validate = (input: unknown) => {
    compiled ??= ajv.compile(schema as AnySchema)
    const isValid = compiled(input)
    validate.errors = compiled.errors
    return isValid
  }
  validate.errors = undefined as AnyValidateFunction['errors']
  // Fastify uses less than its declared type: a function with `errors`.
  return validate as AnyValidateFunction
})

const serializerOf = perSchema((schema) => {
  let compiled: ((answer: unknown) => string) | undefined
  // The serialiser of alternatives validates: without the formats it warns of each on standard error.
  return (answer: unknown) => (compiled ??= stringifier(schema as Schema, { ajv: { formats } }))(answer)
})
