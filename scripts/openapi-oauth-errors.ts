import { errors, oauthErrorOf } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'
import type { OperationFacts, Schema } from './openapi-model.ts'

/** A request whose header fields could not be read has no route yet. */
export const isInOAuthForm = ({ isOAuth }: OperationFacts, code: ErrorCode): boolean =>
  isOAuth && code !== 'HEADERS_TOO_LARGE'

export const oauthErrorSchema: Schema = {
  description: 'An error of an OAuth operation (RFC 6749, section 5.2).',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: {
      type: 'string',
      enum: [...new Set((Object.keys(errors) as ErrorCode[]).map((code) => oauthErrorOf(code).error))],
      description: 'Stable, for programs.',
    },
    error_description: { type: 'string', description: 'For people.' },
  },
  additionalProperties: false,
}
