/** A sample call of an operation, with curl and with the TypeScript client, from its examples in openapi.json. */
import { FORM_TYPE } from '../../src/http/server/form-body.ts'
import { bodyOf, successOf, takesToken } from './document.ts'
import type { Call, Parameter } from './document.ts'
import { exampleLink } from '../../web/src/samples/sample.ts'

/** What a caller would put in place of a value that openapi.json has no example for. */
const placeholders: Readonly<Record<string, string>> = {
  code: '4/0AX4XfWh…',
  state: 'Zr0bXn4Yk2pV9c1s…',
}

/** Each operation on API keys has Idempotency-Keys of its own. */
const KEY_CALL = 'billing-2026-11'

export type Sample = Readonly<{
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  body: unknown
  isForm: boolean
}>

/**
 * The values that both samples send.
 * @param calls all operations: the id in a path is that of the same resource in another operation's example
 */
export function sampleOf(call: Call, calls: readonly Call[]): Sample {
  const { operation } = call
  const { parameters = [] } = operation
  const { example, isForm } = bodyOf(call)
  const shown = parameters.filter((parameter) => isShown(parameter, call))
  const values = (place: string) =>
    Object.fromEntries(
      shown
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, valueOf(parameter, call, calls)]),
    )
  return {
    path: values('path'),
    query: values('query'),
    headers: values('header'),
    body: example,
    isForm,
  }
}

// The currency matters where the answer has amounts; a sign-in at Google ends with a code.
function isShown({ name, required }: Parameter, call: Call): boolean {
  if (name === 'x-currency') return JSON.stringify(successOf(call).example ?? '').includes('"currency"')
  return required === true || name === 'idempotency-key' || name === 'code'
}

function valueOf({ name, example }: Parameter, call: Call, calls: readonly Call[]): string {
  if (name === 'x-currency') return exampleLink.currency
  if (name === 'idempotency-key') return call.path === '/payment-links' ? exampleLink.idempotencyKey : KEY_CALL
  const value = example ?? (name === 'id' ? idOf(call, calls) : placeholders[name])
  if (typeof value !== 'string') throw new Error(`${call.method} ${call.path}: no sample value for ${name}`)
  return value
}

function idOf({ path }: Call, calls: readonly Call[]): string | undefined {
  const [resource = ''] = path.split('/{')
  const examples = calls.filter((call) => call.path.startsWith(resource)).map((call) => successOf(call).example)
  return examples
    .map((example) => /"id":"([^"]+)"/.exec(JSON.stringify(example ?? ''))?.[1])
    .find((id) => id !== undefined)
}

/** `$TOKEN` holds an access token. */
export function curlOf(call: Call, sample: Sample, baseUrl: string): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(sample.path[name] ?? ''))
  const query = new URLSearchParams(sample.query).toString()
  const address = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`
  const method = call.method === 'GET' || (call.method === 'POST' && sample.body) ? '' : `-X ${call.method} `
  const fields = [
    ...(takesToken(call) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(sample.headers).map(([name, value]) => `-H ${quoted(`${fieldName(name)}: ${value}`)}`),
    ...(sample.body === undefined
      ? []
      : [`-H 'Content-Type: ${sample.isForm ? FORM_TYPE : 'application/json'}'`, `-d ${quoted(bodyText(sample))}`]),
  ]
  // The answer has no body then: its header fields are the answer.
  const isWithoutBody = successOf(call).example === undefined
  return [
    `curl ${isWithoutBody ? '-i ' : ''}${method}${query === '' ? address : quoted(address)}`,
    ...fields.map((field) => `  ${field}`),
  ].join(' \\\n')
}

const bodyText = ({ body, isForm }: Sample): string =>
  isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body, null, 2)

const fieldName = (name: string): string => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * A whole program, for an operation that takes no form: its key, or for what needs a person the token of a sign-in, is
 * in the environment.
 */
export function clientCallOf(call: Call, sample: Sample, baseUrl: string): string {
  const { status, example } = successOf(call)
  if (status === '302')
    return `// A browser goes there and keeps the cookie.\nlocation.assign('${baseUrl}${call.path}')`
  const { path, query, headers: header, body } = sample
  const params = Object.entries({ path, query, header }).filter(([, values]) => Object.keys(values).length > 0)
  const options = {
    ...(params.length > 0 ? { params: Object.fromEntries(params) } : {}),
    ...(body === undefined ? {} : { body }),
  }
  const given = Object.keys(options).length > 0 ? `, ${literal(options)}` : ''
  const result = example === undefined ? 'response' : 'data'
  return [
    "import { createClient } from '@paylink-auth/client'",
    '',
    `const client = createClient({${credentialsOf(call, baseUrl)}})`,
    `const { ${result} } = await client.${call.method}('${call.path}'${given})`,
    `console.log(${example === undefined ? 'response.headers' : 'data'})`,
  ].join('\n')
}

function credentialsOf(call: Call, baseUrl: string): string {
  if (!takesToken(call)) return ` baseUrl: '${baseUrl}' `
  const refusals = JSON.stringify(call.operation.responses['403'] ?? '')
  const credentials = refusals.includes('SIGN_IN_REQUIRED')
    ? ['token: process.env.PAYLINK_TOKEN!,']
    : ['keyId: process.env.PAYLINK_KEY_ID!,', 'keySecret: process.env.PAYLINK_KEY_SECRET!,']
  return `\n${[`baseUrl: '${baseUrl}',`, ...credentials].map((line) => `  ${line}\n`).join('')}`
}

/** A value as JavaScript, laid out as the formatter would: an object on one line if it fits. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, field]) => `${keyOf(name)}: ${literal(field, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const line = open + entries.join(', ') + close
  if (indent !== '' && line.length + indent.length <= 64 && !line.includes('\n')) return line
  return `${open.trim()}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close.trim()}`
}

const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name))
