import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'

/** @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE` for a body that is compressed or declared in another encoding than UTF-8 */
export function requirePlainBody({ headers }: Pick<FastifyRequest, 'headers'>): void {
  // Bodies are never decompressed: a proxy in front that did would see a different body.
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw unsupported('The request body must be sent without a Content-Encoding.')
  }
  if (!isUtf8(headers['content-type'] ?? '')) throw unsupported('The request body must be in UTF-8.')
}

// Neither JSON nor forms have a charset parameter, but a caller who names another encoding means it.
function isUtf8(contentType: string): boolean {
  return [...contentType.matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)].every(([, charset]) =>
    /^(utf-?8|us-ascii)$/i.test(charset ?? ''),
  )
}

function unsupported(message: string): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', { message })
}
