/** Input checks that a JSON schema alone cannot express. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { isDisplayText, MAX_DISPLAY_LENGTH } from '../lib/display-text.ts'
import { parseEmailAddress } from '../lib/email-address.ts'
import { CURSOR, PAGE_LIMIT } from './pagination.ts'

/**
 * The canonical form of an address from a request body.
 * @throws {ApiError} `VALIDATION_FAILED`
 */
export function readEmailAddress(email: string): string {
  const address = parseEmailAddress(email)
  if (address === undefined) {
    throw new ApiError('VALIDATION_FAILED', { message: 'body.email must be one plain e-mail address.' })
  }
  return address
}

/** A `preValidation` hook for endpoints whose body is optional. */
export async function allowEmptyBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

/** Text shown to people, in any language. */
export function DisplayText(description: string) {
  return Type.String({ minLength: 1, maxLength: MAX_DISPLAY_LENGTH, format: 'display-text', description })
}

/** The header of operations that are executed once per key (domain/idempotency). */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A text unique to this request, for example a UUID.',
    }),
  ),
})

/** Custom `format`s of the schemas. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'display-text': isDisplayText,
}

/** Completes "<field> …" in a validation error's message, by format or pattern. */
export const formatMessages: Readonly<Record<string, string>> = {
  [CURSOR]: 'must be the nextCursor of an earlier page',
  [PAGE_LIMIT]: 'must be a whole number from 1 to 100',
  'display-text': 'must be printable text: no control characters, and not only whitespace',
}
