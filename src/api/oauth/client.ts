/** Who calls OAuth's endpoints (RFC 6749, section 2.3.1): HTTP Basic, or `client_id` and `client_secret` in the form. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { KeyCredentials } from '../../domain/keys/authenticate-key.ts'
import { ApiError } from '../../errors.ts'
import { countFields } from '../../http/raw-headers.ts'
import { decodeFormText } from '../../http/server/form-body.ts'

/** Fields of the form. */
export const clientFields = {
  client_id: Type.Optional(
    Type.String({
      description: 'The API key id, `plk_…`; or in HTTP Basic. Of an app: the URL of its client metadata document.',
    }),
  ),
  client_secret: Type.Optional(Type.String({ description: 'The API key secret, `pls_…`; or in HTTP Basic.' })),
}

/** Unverified. An app has no secret. */
export type Client = Readonly<{ id?: string | undefined; secret?: string | undefined }>

/**
 * @throws {ApiError} `VALIDATION_FAILED` for two ways at once, `INVALID_CREDENTIALS` for an `Authorization` that is not
 * readable as Basic
 */
export function readClient(
  request: FastifyRequest,
  { client_id: id, client_secret: secret }: Readonly<{ client_id?: string; client_secret?: string }>,
): Client {
  const { authorization } = request.headers
  if (authorization === undefined) return { id, secret }
  if (secret !== undefined) throw twoWays()
  // Node keeps the first of two Authorization headers; a proxy may have checked the second.
  const basic = countFields(request.raw.rawHeaders, 'authorization') === 1 ? readBasic(authorization) : undefined
  if (basic === undefined) throw noCredentials()
  if (id !== undefined && id !== basic.keyId) throw twoWays()
  return { id: basic.keyId, secret: basic.keySecret }
}

/** @throws {ApiError} `INVALID_CREDENTIALS` without credentials of an API key */
export function credentialsOf({ id, secret }: Client): KeyCredentials {
  if (id === undefined || secret === undefined) throw noCredentials()
  return { keyId: id, keySecret: secret }
}

const twoWays = () =>
  new ApiError('VALIDATION_FAILED', {
    message:
      'The client must authenticate in one way: the Authorization header, or `client_id` and `client_secret` in the form.',
  })

const noCredentials = () =>
  new ApiError('INVALID_CREDENTIALS', {
    message:
      'Send the id and the secret of an API key by HTTP Basic, or as `client_id` and `client_secret` in the form.',
  })

function readBasic(authorization: string): KeyCredentials | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  // Both parts are form-encoded, so that neither contains a colon.
  const [id, secret, ...more] = Buffer.from(encoded ?? '', 'base64')
    .toString('latin1')
    .split(':')
    .map(decodeFormText)
  return id === undefined || secret === undefined || more.length > 0 ? undefined : { keyId: id, keySecret: secret }
}
