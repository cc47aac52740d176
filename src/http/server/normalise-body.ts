/** What a body may spell in several ways: an optional field as `null`, and blanks around shown text. */
import { trimBlanks } from '../../lib/text/display-text.ts'

/** The part of a JSON schema that this needs. */
export type BodySchema = Readonly<{
  title?: string
  type?: string
  format?: string
  anyOf?: readonly BodySchema[]
  properties?: Readonly<Record<string, BodySchema>>
  required?: readonly string[]
  items?: BodySchema
}>

/**
 * Removes optional fields that are `null`, and trims the text of `DisplayText` fields, in place. In a PATCH `null`
 * clears a field, so it stays.
 */
export function normaliseBody(method: string, schema: BodySchema, value: unknown): unknown {
  if (typeof value === 'string') return isDisplayText(schema) ? trimBlanks(value) : value
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => normaliseBody(method, items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(fields, name)) continue
    if (fields[name] === null && method !== 'PATCH' && schema.required?.includes(name) !== true) delete fields[name]
    else fields[name] = normaliseBody(method, field, fields[name])
  }
  return fields
}

function isDisplayText({ format, anyOf = [] }: BodySchema): boolean {
  return format === 'display-text' || anyOf.some((one) => one.format === 'display-text')
}
