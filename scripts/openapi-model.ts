/** The parts of an OpenAPI document that the generator reads and changes. */
import type { ErrorCode } from '../src/errors.ts'

export type Reference = { $ref: string }

/** A schema, or a reference to one with a description of its own. */
export type Schema = {
  $ref?: string
  title?: string
  description?: string
  type?: string
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  [keyword: string]: unknown
}

export type Header = { description: string; schema: Schema }
type Content = Record<string, { schema?: Schema; examples?: Record<string, Reference | { value: unknown }> }>
type RequestBody = { required?: boolean; content: Content }
export type Response = { description: string; headers?: Record<string, Header | Reference>; content?: Content }
export type Parameter = { name: string; in: string; schema: Schema }

export type Operation = {
  operationId: string
  parameters?: (Parameter | Reference)[]
  requestBody?: RequestBody
  responses: Record<string, Response | Reference>
}

export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    headers?: Record<string, Header>
    responses?: Record<string, Response>
    examples?: Record<string, { value: unknown }>
  }
}

/** What an operation's route declares, beyond its schemas. */
export type OperationFacts = Readonly<{
  codes: ReadonlySet<ErrorCode>
  isAuthenticated: boolean
  /** Errors have OAuth's form. */
  isOAuth: boolean
}>

export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods))

/** `EMAIL_TAKEN`, `email-taken` and `emailTaken`: EmailTaken. */
export const pascalCase = (name: string): string =>
  name
    .replace(/^[A-Z_]+$/, (code) => code.toLowerCase())
    .replaceAll(/(?:^|[_-])(.)/g, (_match, first: string) => first.toUpperCase())

/** Sorted by name: the order does not depend on which operation is documented first. */
export const sorted = <Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> =>
  Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)))
