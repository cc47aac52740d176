/** Reads form bodies (`application/x-www-form-urlencoded`), for OAuth's endpoints (RFC 6749, appendix B). */
import { isAscii } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { App } from '../endpoint.ts'
import { allowEmptyBody } from '../input.ts'
import { requirePlainBody } from './body-encoding.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

const NOT_A_FORM = 'The request body is not a form in UTF-8.'

/** Replaces the parsers of the routes that are added to this scope. */
export function readForms(scope: App): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    requirePlainBody(request)
    return parseForm(body)
  })
  // Without a body, the answer names the parameters that are missing.
  scope.addHook('preValidation', allowEmptyBody)
  scope.addContentTypeParser('*', async () => {
    const message = `The request body must be sent as Content-Type: ${FORM_TYPE}.`
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message })
  })
}

/**
 * Parameters without a value are omitted (RFC 6749, section 3.2).
 * @throws {ApiError} `VALIDATION_FAILED` for a repeated parameter, and for what is not UTF-8
 */
function parseForm(body: Buffer): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  // Everything else is escaped (RFC 6749, appendix B). Unescaped bytes would be read as Latin-1.
  if (!isAscii(body)) throw malformed(NOT_A_FORM)
  for (const part of body.toString('latin1').split('&')) {
    const [name = '', ...value] = part.split('=')
    const [field, text] = [decodeFormText(name), decodeFormText(value.join('='))]
    if (field === undefined || text === undefined) throw malformed(NOT_A_FORM)
    if (text === '') continue
    if (fields.has(field)) throw malformed('A parameter of the request body is repeated.')
    fields.set(field, text)
  }
  return Object.fromEntries(fields)
}

/** @returns `undefined` for a malformed percent-escape, and for what is not UTF-8 */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function malformed(message: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { message })
}
