/** The parts of openapi.json that the reference shows. */
import { FORM_TYPE } from '../../src/http/server/form-body.ts'

export type Schema = Readonly<{
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
export type Content = Readonly<
  Record<string, { schema?: Schema; example?: unknown; examples?: Readonly<Record<string, unknown>> }>
>
export type Parameter = Readonly<{
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}>
export type Headers = Readonly<Record<string, { description?: string; schema?: Schema }>>
export type Answer = Readonly<{ description: string; content?: Content; headers?: Headers }>
export type Operation = Readonly<{
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

export type Call = Readonly<{ method: string; path: string; operation: Operation }>

/** @param document its references resolved */
export function callsOf({ paths }: Pick<Document, 'paths'>): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

export const takesToken = ({ operation }: Call): boolean => Boolean(operation.security?.length)

/** The first successful answer, and its JSON body. */
export function successOf({ operation }: Call): Readonly<{ status: string; example: unknown }> {
  const [status = '', answer] = Object.entries(operation.responses).find(([code]) => Number(code) < 400) ?? []
  return { status, example: answer?.content?.['application/json']?.example }
}

/** The body of a request: JSON, or the form of an OAuth operation. */
export function bodyOf({ operation: { requestBody } }: Call) {
  const json = requestBody?.content['application/json']
  const form = requestBody?.content[FORM_TYPE]
  return { isForm: form !== undefined, ...(json ?? form) }
}
