/** Renders openapi.json as the Markdown API reference. */

import { createSlugs } from './links.ts'
import { resolveReferences } from './resolve-references.ts'

type Schema = Readonly<{
  type?: string | readonly string[]
  description?: string
  enum?: readonly (string | number | boolean | null)[]
  const?: string | number | boolean
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}>
type Content = Readonly<
  Record<string, { schema?: Schema; example?: unknown; examples?: Readonly<Record<string, unknown>> }>
>
type Parameter = Readonly<{ name: string; in: string; required?: boolean; description?: string; schema: Schema }>
type Headers = Readonly<Record<string, { description?: string; schema?: Schema }>>
type Answer = Readonly<{ description: string; content?: Content; headers?: Headers }>
type Operation = Readonly<{
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly unknown[]
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Readonly<Record<string, Answer>>
  'x-beyond-specification'?: true
}>

export type Document = Readonly<{
  info: { description: string; version: string }
  servers: readonly { url: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { headers: Headers }
}>

type Call = Readonly<{ method: string; path: string; operation: Operation; sharedHeaders: Headers }>

/** @param errorsPage has a heading for each error code */
export function referenceOf(document: Document, errorsPage: string): string {
  const { info, servers, tags, paths, components } = resolveReferences(document)
  const sharedHeaders = components.headers
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      sharedHeaders,
    })),
  )
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return (
    [
      '# API reference',
      `Version ${info.version}. All paths are below \`${servers[0]?.url}\`. The machine-readable form is [openapi.json](/api/v1/openapi.json).`,
      info.description,
      'An operation that takes a **bearer** token needs `Authorization: Bearer <token>`; `X-Currency` sets its currency. [Every error](docs/errors.md) has a cause and a remedy.',
      table(
        ['Call', 'What it does', 'Who'],
        groups.flatMap((group) =>
          group.calls.map((call) => [`\`${call.method} ${call.path}\``, linkTo(call), whoMayCall(call)]),
        ),
      ),
      'Header fields of answers, where they apply:',
      table(
        ['Header', 'Type', 'Meaning'],
        headerRows(sharedHeaders).map(([name = '', type = '', , meaning = '']) => [name, type, meaning]),
      ),
      ...groups.flatMap((group) =>
        [`## ${group.name}`, group.description].concat(group.calls.flatMap((call) => callText(call, errorsPage))),
      ),
    ].join('\n\n') + '\n'
  )
}

const linkTo = ({ operation }: Call): string => `[${operation.summary}](#${createSlugs()(operation.summary)})`
const whoMayCall = ({ operation }: Call): string => (operation.security?.length ? 'bearer' : 'public')

function callText(call: Call, errorsPage: string): string[] {
  const { method, path, operation } = call
  const { parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const beyond = operation['x-beyond-specification'] ? ' · beyond the specification' : ''
  return [
    `### ${operation.summary}`,
    `\`${method} ${path}\` · ${whoMayCall(call)}${beyond} · [example](docs/examples.md#${createSlugs()(operation.summary)})`,
    ...(operation.description === undefined ? [] : [operation.description]),
    ...(parameters.length === 0 ? [] : [fieldTable('Parameter', parameters.map(parameterRow))]),
    ...(body?.schema === undefined
      ? []
      : [
          fieldTable(
            requestBody?.required === false ? 'Body, optional' : 'Body',
            rowsOf(body.schema, { required: 'required', optional: '' }),
          ),
        ]),
    ...example(body?.example),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      Number(status) < 400 ? answerText(status, answer, call.sharedHeaders) : [],
    ),
    `Errors: ${errorsOf(responses)
      .map(([status, code]) => `${status} [\`${code}\`](${errorsPage}#${code.toLowerCase()})`)
      .join(', ')}.`,
  ]
}

function answerText(status: string, { description, content, headers = {} }: Answer, shared: Headers): string[] {
  const answer = content?.['application/json']
  // The shared ones have a table of their own, at the top.
  const own = Object.entries(headers).filter(([name, header]) => header.description !== shared[name]?.description)
  const rows = [
    ...headerRows(Object.fromEntries(own)),
    ...(answer?.schema === undefined ? [] : rowsOf(answer.schema, { required: '', optional: 'may be absent' })),
  ]
  return [
    `**${status}** ${description}`,
    ...(rows.length === 0 ? [] : [fieldTable('Answer', rows)]),
    ...example(answer?.example),
  ]
}

function headerRows(headers: Headers): string[][] {
  return Object.entries(headers).map(([name, { schema = {}, description = '' }]) => [
    `\`${name}\``,
    typeOf(schema),
    'header',
    description,
  ])
}

function errorsOf(responses: Readonly<Record<string, Answer>>): (readonly [status: string, code: string])[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const codes = Object.keys(content?.['application/json']?.examples ?? {})
    return Number(status) >= 400 ? codes.map((code) => [status, code] as const) : []
  })
}

const parameterRow = ({ name, in: place, required, schema, description = '' }: Parameter): string[] => [
  `\`${name}\``,
  typeOf(schema),
  `${place}${required ? ', required' : ''}`,
  description,
]

// Fields of objects get dotted names: `apiKey.id`, `apiKeys[].id`. The object has a row of its own only if it adds
// information.
function rowsOf(schema: Schema, words: Readonly<{ required: string; optional: string }>, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name
    const inner = field.items ?? field.anyOf?.find(({ properties: some }) => some !== undefined) ?? field
    const word = required.includes(name) ? words.required : words.optional
    const rows = rowsOf(inner, words, `${path}${field.items ? '[]' : ''}.`)
    const saysNothing =
      field.type === 'object' && rows.length > 0 && word === words.required && field.description === undefined
    return saysNothing ? rows : [[`\`${path}\``, typeOf(field), word, field.description ?? '']].concat(rows)
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

const example = (value: unknown): string[] =>
  value === undefined ? [] : [`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``]

function fieldTable(what: string, rows: readonly (readonly string[])[]): string {
  const head = [what, 'Type', '', 'Meaning']
  const isUsed = head.map((_name, column) => column < 2 || rows.some((row) => row[column] !== ''))
  const used = (cells: readonly string[]) => cells.filter((_cell, column) => isUsed[column])
  return table(used(head), rows.map(used))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(tableRow)].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
