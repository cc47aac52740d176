/** Input checks that a JSON schema alone cannot express. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { canonicalNetwork } from '../lib/cidr.ts'
import { isDisplayText, MAX_DISPLAY_LENGTH, trimBlanks } from '../lib/text/display-text.ts'
import { emailAddressProblem, parseEmailAddress } from '../lib/text/email-address.ts'
import { CURSOR, PAGE_LIMIT, POSITION_CURSOR } from './pagination.ts'
import { countFields } from './raw-headers.ts'

/**
 * The canonical form of an address from a request.
 * @throws {ApiError} `VALIDATION_FAILED`
 */
export function readEmailAddress(email: string): string {
  const trimmed = trimBlanks(email)
  const address = parseEmailAddress(trimmed)
  if (address === undefined) {
    const message = `\`email\` must be one plain e-mail address: ${emailAddressProblem(trimmed)}.`
    throw new ApiError('VALIDATION_FAILED', { message })
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

/**
 * The call's `Idempotency-Key`, if it has one.
 * @throws {ApiError} `VALIDATION_FAILED` for two: Node joins them, and a proxy in front may have used either
 */
export function readIdempotencyKey({ raw, headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (countFields(raw.rawHeaders, 'idempotency-key') <= 1) return key as string | undefined
  throw new ApiError('VALIDATION_FAILED', { message: 'The request must have at most one Idempotency-Key header.' })
}

/** An `Idempotency-Key` outside of a header field: without line breaks, as there (domain/idempotency). */
export const PRINTABLE_KEY = '^[!-~]{1,255}$'

/** Custom `format`s of the schemas. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'display-text': isDisplayText,
  cidr: (text) => canonicalNetwork(text) !== undefined,
  ip: (text) => isIP(text) !== 0,
}

/** Completes "<field> must …" in a validation error's message, by format or pattern. */
export const formatMessages: Readonly<Record<string, string>> = {
  cidr: 'be a network in CIDR notation, such as `203.0.113.0/24`',
  [PRINTABLE_KEY]: 'be 1 to 255 printable ASCII characters without spaces',
  ip: 'be an IPv4 or IPv6 address',
  [CURSOR]: 'be the `nextCursor` of an earlier page',
  [POSITION_CURSOR]: 'be the `nextCursor` of an earlier page',
  [PAGE_LIMIT]: 'be a whole number from 1 to 100',
  'date-time': 'be a date and time with its offset from UTC, for example 2026-12-31T23:59:59Z',
  'display-text':
    'be printable text: no control characters, not only whitespace, and at most four combining marks in a row',
}
