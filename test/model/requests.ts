/** Requests generated from openapi.json: valid, nearly valid and hostile, for every operation. */
import * as fc from 'fast-check'
import { anyCharacter } from '../support/any-character.ts'
import { contentOf, takesToken } from '../support/documented.ts'
import type { Operation } from '../support/documented.ts'
import type { Call } from '../support/service.ts'

/** A request as `service.call` takes it, and its kind. */
export type MadeRequest = Readonly<{
  route: string
  call: Call
  kind: 'valid' | 'near' | 'hostile'
  isSignedIn: boolean
}>

/** What a valid request needs and no schema describes: existing objects. */
export type Known = Readonly<{
  tokens: readonly string[]
  ids: readonly string[]
  emails: readonly string[]
  appUrl: string
}>

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    "' OR 1=1 --",
    '../../etc/passwd',
    '%00',
    '${7*7}',
    'a@b@c',
  ),
  fc.string({ unit: fc.constantFrom('x', '[', '{', '"', '\\', '😀'), minLength: 1000, maxLength: 9000 }),
)
const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(1e308, -0, 2 ** 53, null, [], {}, [[[[[[]]]]]], { constructor: { prototype: 1 } }),
)

/** A value of a schema; a field that names an object usually names an existing one. */
function valueOf(schema: any, name: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each: any) => valueOf(each, name, known)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries<any>(schema.properties ?? {})
      const values = fields.map(([field, inner]) => [field, valueOf(inner, field, known)] as const)
      return fc.record(Object.fromEntries(values), { requiredKeys: schema.required ?? [] })
    }
    case 'array':
      return fc.array(valueOf(schema.items, name, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 })
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    default:
      return textOf(schema, name, known)
  }
}

function textOf(schema: any, name: string, known: Known): fc.Arbitrary<string> {
  if (name === 'email') return fc.constantFrom(...known.emails)
  if (name === 'redirectTo') return fc.constant(`${known.appUrl}/`)
  if (schema.format === 'ip') return fc.constantFrom('192.0.2.7', '2001:db8::7')
  if (schema.format === 'cidr') return fc.constantFrom('192.0.2.0/24', '10.1.2.3/8', '2001:DB8::/32')
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  const max = Math.min(schema.maxLength ?? 60, 60)
  return fc
    .string({ minLength: Math.max(1, schema.minLength ?? 0), maxLength: max })
    .map((text) => text.replace(/^\s+$/, 'x'))
}

/** The same value with one error: a missing field, another type, an unknown field, or excess length. */
function corrupted(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(value, fc.nat(), fc.nat(4), anyJson, anyText).map(([whole, which, how, json, text]) => {
    if (typeof whole !== 'object' || whole === null) return json
    const names = Object.keys(whole)
    const name = names[which % Math.max(1, names.length)] ?? 'x'
    if (how === 4) return [whole]
    const fields = new Map<string, unknown>(Object.entries(whole))
    if (how === 0) fields.delete(name)
    else fields.set(how === 3 ? `${name}x` : name, how === 2 ? text : json)
    return Object.fromEntries(fields)
  })
}

const hostileBody = fc.oneof(
  anyJson.map((json) => JSON.stringify(json)),
  fc.string({ unit: anyCharacter, maxLength: 500 }),
  fc.constantFrom(
    '{',
    '{"a":1}}',
    '{"__proto__":{"x":1}}',
    '{"email":"a","email":"b"}',
    '[1e999]',
    '"\\ud800"',
    '['.repeat(5000),
  ),
  fc.constant(`"${'x'.repeat(70_000)}"`),
)
const hostileHeaders = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
      '',
    ),
    'x-currency': fc.constantFrom('RON', 'EUR', 'USD', '', 'ron', '__proto__'),
    accept: fc.constantFrom('*/*', 'text/html', 'application/json', ';;;', ''),
    origin: fc.constantFrom('null', 'https://evil.example'),
    'accept-language': fc.constantFrom('ro', '*', 'xx;q=2', ''),
    'x-request-id': fc.constantFrom('abc', '\t', 'x'.repeat(200)),
    'content-encoding': fc.constant('gzip'),
  },
  { requiredKeys: [] },
)

export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<MadeRequest> {
  const { route, content } = operation
  const [method = '', pattern = ''] = route.split(' ')
  const parameters: any[] = content.parameters ?? []
  const query = parameters.filter((each) => each.in === 'query')
  const bodySchema = contentOf(content.requestBody)?.schema
  const isGuarded = takesToken(operation)
  const validToken = isGuarded ? fc.constantFrom(...known.tokens) : fc.constant(undefined)
  const validId = fc.constantFrom(...known.ids)
  const wrongId = fc.oneof(validId, fc.constant('unknown'), anyText)
  const validBody = bodySchema ? valueOf(bodySchema, '', known) : fc.constant(undefined)
  const queryOf = (value: (parameter: any) => fc.Arbitrary<unknown>, requiredKeys: string[]) =>
    fc.record(Object.fromEntries(query.map((each) => [each.name, value(each)])), {
      requiredKeys: requiredKeys as never[],
    })

  const made = (kind: MadeRequest['kind'], id: string, fields: object, token: string | undefined, rest: Call) => {
    const search = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString()
    const path = pattern.replace('{id}', encodeURIComponent(id.toWellFormed()) || 'x')
    const options = { ...rest, ...(token === undefined ? {} : { token }) }
    const isSignedIn = token !== undefined && known.tokens.includes(token)
    return {
      kind,
      route: `${method} ${path}${search && `?${search}`}`,
      call: options,
      isSignedIn,
    } satisfies MadeRequest
  }
  const required = query.filter((each) => each.required).map((each) => each.name)
  const validQuery = queryOf((each) => valueOf(each.schema, each.name, known), required)
  const withBody = (body: unknown): Call => (body === undefined ? {} : { body })

  return fc.oneof(
    fc
      .tuple(validId, validQuery, validToken, validBody)
      .map(([id, fields, token, body]) => made('valid', id, fields, token, withBody(body))),
    fc
      .tuple(
        validId,
        queryOf(() => anyText, []),
        validToken,
        bodySchema ? corrupted(validBody) : fc.constant(undefined),
      )
      .map(([id, fields, token, body]) => made('near', id, fields, token, withBody(body))),
    fc
      .tuple(
        wrongId,
        queryOf(() => anyText, []),
        fc.oneof(validToken, fc.constantFrom('x', '%', 'a.b.c')),
        hostileBody,
        hostileHeaders,
      )
      .map(([id, fields, token, body, headers]) =>
        made('hostile', id, fields, token, { headers, ...(method === 'GET' ? {} : { body }) }),
      ),
  )
}

/** The call with its body as a form, if the operation takes one. */
export function asForm({ content }: Operation, call: Call): Call {
  const { body } = call
  if (content.requestBody?.content['application/x-www-form-urlencoded'] === undefined) return call
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...call.headers }
  if (typeof body !== 'object' || body === null) return { ...call, headers }
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  return {
    ...call,
    headers,
    body: new URLSearchParams(fields.map(([name, value]) => [name, textOfField(value)])).toString(),
  }
}

const textOfField = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
