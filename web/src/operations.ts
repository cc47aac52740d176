/** Request and response types of the public API, by operation id. */
import type { operations } from '../../sdk/src/generated/openapi.ts'

type Success<Name extends keyof operations> = operations[Name]['responses'][keyof operations[Name]['responses'] &
  (200 | 201)]

export type Answer<Name extends keyof operations> =
  Success<Name> extends { content: { 'application/json': infer Body } } ? Body : never

export type Input<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
