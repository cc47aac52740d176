/** The schemas of error answers, by status, for validation of what we send and for the OpenAPI document. */
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { errors } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'

/** A response schema for each status that these codes have. */
export function errorResponses(codes: readonly ErrorCode[]): Record<number, TSchema> {
  const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status)
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorSchema(group)]))
}

function errorSchema(codes: readonly ErrorCode[]): TSchema {
  return Type.Object(
    {
      error: Type.Object(
        { message: Type.String(), code: Type.Enum([...codes]) },
        { additionalProperties: false },
      ),
    },
    {
      additionalProperties: false,
      description: codes.join(', '),
      examples: codes.map((code) => ({ error: { message: errors[code].message, code } })),
    },
  )
}
