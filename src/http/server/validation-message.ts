/** Words for the first problem that Ajv finds: the field and the rule. Never quotes the value, which may be a secret. */
import type { ErrorObject } from 'ajv'
import { formatMessages } from '../input.ts'

/** `data` and `parentSchema` are there because the validators are compiled with `verbose`. */
export type Problem = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'data' | 'parentSchema'>

type Schema = Readonly<Record<string, unknown>>

/** @param context the part of the request, as Fastify names it */
export function validationMessage(
  context: string,
  { instancePath, keyword, params, data, parentSchema }: Problem,
): string {
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>
  const within = fieldName(context, instancePath)
  // A misspelt field is unknown, and its right name missing.
  const unknown = additionalProperty ?? (missingProperty === undefined ? undefined : unknownField(data, parentSchema))
  if (unknown !== undefined) {
    // Other names could contain anything.
    return /^\w{1,40}$/.test(unknown)
      ? `${fieldName(context, `${instancePath}/${unknown}`)} is not a known field.`
      : `${within} has an unknown field.`
  }
  if (missingProperty !== undefined) return `${fieldName(context, `${instancePath}/${missingProperty}`)} is required.`
  if (context === 'querystring' && Array.isArray(data)) return `${within} must be given only once.`
  // Fastify passes null for a missing body too.
  const wrongForm =
    keyword === 'type' && !(instancePath === '' && data === null) ? formOf(data, parentSchema ?? {}) : ''
  return `${within} must ${rule(parentSchema ?? {}, keyword)}${wrongForm}.`
}

// `/secrets/0/keySecret` becomes `secrets[0].keySecret`.
function fieldName(context: string, instancePath: string): string {
  if (instancePath === '') return `The ${context === 'body' ? 'body' : 'request'}`
  const name = instancePath
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  return `\`${context === 'headers' ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name}\``
}

function unknownField(data: unknown, { properties, additionalProperties }: Schema = {}): string | undefined {
  if (additionalProperties !== false) return undefined
  return Object.keys(Object(data)).find((name) => !Object.hasOwn(Object(properties), name))
}

function rule(schema: Schema, keyword: string): string {
  const named = formatMessages[String(schema['format'] ?? schema['pattern'])]
  if (named !== undefined && (keyword === 'format' || keyword === 'pattern')) return named
  if (Array.isArray(schema['enum'])) return `be one of ${schema['enum'].join(', ')}`
  switch (schema['type']) {
    case 'object':
      return 'be a JSON object'
    case 'array':
      return `be a list of ${bounds(schema['minItems'], schema['maxItems'])} items`
    case 'string':
      return keyword === 'type' ? 'be a string' : `have ${bounds(schema['minLength'], schema['maxLength'])} characters`
    case 'integer':
      return `be a whole number from ${bounds(schema['minimum'], schema['maximum'])}`
    case 'boolean':
      return 'be true or false'
    default:
      return 'be valid'
  }
}

function bounds(least: unknown, most: unknown): string {
  return `${typeof least === 'number' ? `${least} to` : 'at most'} ${Number(most)}`
}

/** What was sent instead: a wrong form reads differently from a wrong value. */
function formOf(data: unknown, { type }: Schema): string {
  if (data === null) return ', not null'
  if (Array.isArray(data)) return ', not a list'
  if (typeof data === 'number' && type === 'integer') return ', not a fraction'
  return typeof data === 'object' ? ', not an object' : `, not a ${typeof data}`
}
