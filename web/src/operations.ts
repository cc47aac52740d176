/** The types of the public API's operations, as they are generated from openapi.json. */
import type { operations } from '../../sdk/src/generated/openapi.ts'

type Success<Name extends keyof operations> = operations[Name]['responses'][keyof operations[Name]['responses'] &
  (200 | 201)]

/** The body that an operation answers with. */
export type Answer<Name extends keyof operations> =
  Success<Name> extends { content: { 'application/json': infer Body } } ? Body : never

/** The body that an operation takes. */
export type Input<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
