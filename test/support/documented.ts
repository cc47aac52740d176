/** openapi.json as tests use it: its operations, and whether an answer is what it says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Errors } from 'typebox/schema'
import type { Answer } from './service.ts'

/** The committed document. */
export const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

/** One operation of the document. */
export type Operation = Readonly<{
  /** As `service.call` takes it, with `{id}` for what stands in a path. */
  route: string
  id: string
  /** The operation as the document has it. */
  content: any
}>

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, content]) => ({
    route: `${method.toUpperCase()} ${path}`,
    id: content.operationId,
    content,
  })),
)

/** The operation of a route as it is called, for example `POST /auth/api-keys/0199…/revoke`. */
export function operationOf(route: string): Operation {
  const [called = ''] = route.split('?')
  const operation = operations.find(({ route: pattern }) => {
    const parts = pattern.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    return new RegExp(`^${parts.join('[^/]+')}$`).test(called)
  })
  assert.ok(operation, `${called} is not documented`)
  return operation
}

/** The error codes of one documented response; of a success none. */
export function codesOf(response: any): string[] {
  const schema = response.content?.['application/json']?.schema
  return schema?.properties?.error?.properties.code.enum ?? []
}

/** What a value breaks of a schema, which may hold no field that the schema does not name; none: []. */
export function schemaProblems(schema: object, value: unknown): string[] {
  const [, errors] = Errors(closed(schema) as object, value)
  return errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
}

/**
 * The answer is one that openapi.json documents for its operation: a status it names and, in a body
 * of JSON, exactly the fields it names, of the types and with the codes it names.
 * @param route as it was called
 */
export function assertDocumented(route: string, answer: Answer): void {
  const { content } = operationOf(route)
  const said = `${route}: ${answer.status} ${answer.text}`
  const documented = content.responses[answer.status]
  assert.ok(documented, `this status is not documented: ${said}`)
  const schema = documented.content?.['application/json']?.schema
  assert.equal(answer.headers.get('content-type') !== null, schema !== undefined, said)
  assert.deepEqual(schema ? schemaProblems(schema, answer.body) : answer.text, schema ? [] : '', said)
}

// Readers may not rely on unknown fields being absent, so the document leaves objects open; we do not.
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.entries(schema).map(([key, value]) => [key, closed(value)])
  return { ...('properties' in schema ? { additionalProperties: false } : {}), ...Object.fromEntries(inner) }
}
