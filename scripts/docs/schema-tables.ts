/** Tables of fields: each row begins with a name, its type and whether it is required. */
import type { Headers, Parameter, Schema } from './document.ts'

export type Row = readonly [field: string, meaning: string]

const fieldOf = (name: string, schema: Schema, ...notes: readonly string[]): string =>
  `\`${name}\` ${[typeOf(schema), ...notes].filter((part) => part !== '').join(', ')}`

export function headerRows(headers: Headers, note: string): Row[] {
  return Object.entries(headers).map(([name, { schema = {}, description = '' }]) => [
    fieldOf(name, schema, note),
    description,
  ])
}

export const parameterRow = ({ name, in: place, required, schema, description = '' }: Parameter): Row => [
  fieldOf(name, schema, place, required === true ? 'required' : ''),
  description,
]

/**
 * Fields of objects get dotted names: `apiKey.id`, `apiKeys[].id`. The object has a row of its own only if it adds
 * information.
 */
export function rowsOf(
  { properties = {}, required = [] }: Schema = {},
  words: Readonly<{ required: string; optional: string }>,
  prefix = '',
): Row[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name
    const inner = field.items ?? field.anyOf?.find(({ properties: some }) => some !== undefined) ?? field
    const word = required.includes(name) ? words.required : words.optional
    const rows = rowsOf(inner, words, `${path}${field.items ? '[]' : ''}.`)
    const saysNothing =
      field.type === 'object' && rows.length > 0 && word === words.required && field.description === undefined
    return saysNothing ? rows : [[fieldOf(path, field, word), field.description ?? ''] as Row].concat(rows)
  })
}

function typeOf(schema: Schema): string {
  const { type, enum: values, const: value, anyOf, items, minimum, maximum, minLength, maxLength } = schema
  if (value !== undefined) return `\`${String(value)}\``
  if (values !== undefined) return values.map((one) => `\`${String(one)}\``).join(' or ')
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  const name = items === undefined ? [type ?? 'any'].flat().join(' or ') : `array of ${typeOf(items)}`
  const bounds =
    minimum === undefined && maximum === undefined ? [minLength, maxLength, ' characters'] : [minimum, maximum, '']
  const [least, most, unit] = bounds
  if (least === undefined && most === undefined) return name
  if (most === undefined) return `${name}, ${least} or more${unit}`
  return `${name}, ${least === undefined ? 'at most' : `${least} to`} ${most}${unit}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(tableRow)].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
