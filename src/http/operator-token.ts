import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { sameHash, sha256 } from '../lib/hash.ts'

/**
 * An `onRequest` hook that requires a token from the settings.
 * @param realm of the challenge
 */
export function requireOperatorToken(token: string, realm: string): (request: FastifyRequest) => Promise<void> {
  const expected = sha256(token)
  return async ({ headers: { authorization = '' } }) => {
    if (/^bearer /i.test(authorization) && sameHash(sha256(authorization.slice('Bearer '.length)), expected)) return
    const error = authorization === '' ? '' : ', error="invalid_token"'
    throw new ApiError('UNAUTHORIZED', { headers: { 'www-authenticate': `Bearer realm="${realm}"${error}` } })
  }
}
