/** openapi.json for tests: its operations, and checks of answers against it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Errors } from 'typebox/schema'
import { resolveReferences } from '../../scripts/docs/resolve-references.ts'
import { securityHeaders } from '../../src/http/server/security-headers.ts'
import type { Answer } from './service.ts'

export const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

export type Operation = Readonly<{
  /** As `service.call` takes it; path parameters stay as `{id}`. */
  route: string
  id: string
  /** Its references resolved, and without the `default` response: an answer must be documented by its status. */
  content: any
}>

export const operations: readonly Operation[] = Object.entries<object>(resolveReferences(document).paths).flatMap(
  ([path, methods]) =>
    Object.entries<any>(methods).map(([method, content]) => {
      const { default: _default, ...responses } = content.responses
      return { route: `${method.toUpperCase()} ${path}`, id: content.operationId, content: { ...content, responses } }
    }),
)

export const takesToken = ({ content }: Operation): boolean => content.security.length > 0

/** The operation of a called route, for example `POST /auth/api-keys/0199…/revoke`. */
export function operationOf(route: string): Operation {
  const [called = ''] = route.split('?')
  const operation = operations.find(({ route: pattern }) => {
    const parts = pattern.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    return new RegExp(`^${parts.join('[^/]+')}$`).test(called)
  })
  assert.ok(operation, `${called} is not documented`)
  return operation
}

/** The error codes of a documented response, or the errors of an OAuth operation; empty for a success. */
export function codesOf(response: any): string[] {
  const { schema, examples } = response.content?.['application/json'] ?? {}
  if (schema?.properties?.error_description !== undefined) return Object.keys(examples)
  const codes = (schema?.anyOf ?? [schema]).map((each: any) => each?.properties?.error?.properties.code.const)
  return codes.filter((code: unknown) => code !== undefined)
}

/** The violations of a schema, where fields that the schema does not name are violations too. */
export function schemaProblems(schema: object, value: unknown): string[] {
  const [, errors] = Errors(closed(schema) as object, value)
  return errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
}

/** Header fields of every answer, for HTTP and browsers: their values are tested elsewhere. */
const GENERAL_HEADERS = new Set([
  ...Object.keys(securityHeaders),
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'pragma',
  'transfer-encoding',
  'vary',
])

/** The code of an error's body, or the error of an OAuth operation. */
export const codeIn = (body: any): string | undefined =>
  typeof body?.error === 'string' ? body.error : body?.error?.code

/** The schema and the examples of a body of any type. */
export const contentOf = (body: any): any =>
  body?.content?.['application/json'] ?? body?.content?.['application/x-www-form-urlencoded']

/** The header fields that an operation's document must name, in lower case. */
export const ownHeadersOf = ({ headers }: Pick<Answer, 'headers'>): string[] =>
  [...headers.keys()].filter((name) => !GENERAL_HEADERS.has(name))

/** Asserts that openapi.json documents the answer: its status, header fields and, for JSON, its fields, types, codes. */
export function assertDocumented(route: string, answer: Answer): void {
  const { content } = operationOf(route)
  const said = `${route}: ${answer.status} ${answer.text}`
  const documented = content.responses[answer.status]
  assert.ok(documented, `this status is not documented: ${said}`)
  const headers = new Set(Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase()))
  const undocumented = ownHeadersOf(answer).filter((name) => !headers.has(name))
  assert.deepEqual(undocumented, [], `header fields that are not documented: ${said}`)
  const schema = documented.content?.['application/json']?.schema
  assert.equal(answer.headers.get('content-type') !== null, schema !== undefined, said)
  assert.deepEqual(schema ? schemaProblems(schema, answer.body) : answer.text, schema ? [] : '', said)
}

// The document leaves objects open, because clients must ignore unknown fields; the check closes them.
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.entries(schema).map(([key, value]) => [key, closed(value)])
  return { ...('properties' in schema ? { additionalProperties: false } : {}), ...Object.fromEntries(inner) }
}
