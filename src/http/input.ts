/** Input that a schema alone cannot check, read into the form that is used afterwards. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { isDisplayText } from '../lib/display-text.ts'
import { parseEmailAddress } from '../lib/email-address.ts'
import { CURSOR, PAGE_LIMIT } from './pagination.ts'

/**
 * The stored form of an address in a request body.
 * @throws {ApiError} `VALIDATION_FAILED`
 */
export function readEmailAddress(email: string): string {
  const address = parseEmailAddress(email)
  if (address === undefined) {
    throw new ApiError('VALIDATION_FAILED', { message: 'body.email must be one plain e-mail address.' })
  }
  return address
}

/** Before validation, where every field is optional, and so is the body. */
export async function bodyMayBeAbsent(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

/** The schema of a text that is shown to people: 1 to 100 characters of any language. */
export function DisplayText(description: string) {
  return Type.String({ minLength: 1, maxLength: 100, format: 'display-text', description })
}

/** The formats that our schemas name, for the validator. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'display-text': isDisplayText,
}

/** What a format or a pattern asks for, to complete "name …" in an error's message. */
export const formatMessages: Readonly<Record<string, string>> = {
  [CURSOR]: 'must be the nextCursor of an earlier page',
  [PAGE_LIMIT]: 'must be a whole number from 1 to 100',
  'display-text': 'must be text that can be shown: no control characters, and not only blanks',
}
