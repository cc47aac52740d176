import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isDisplayText, MAX_DISPLAY_LENGTH, trimBlanks } from '../../lib/text/display-text.ts'

/** What is used of a client's metadata document (RFC 7591, section 2). */
export type ClientMetadata = Readonly<{
  clientId: string
  /** The client's own claim; null: none that can be shown. */
  name: string | null
  redirectUris: readonly string[]
}>

/** Why a client cannot be used, in words for its developer. */
export class ClientRefusedError extends Error {}

const isDocument = Compile(
  Type.Object({
    client_id: Type.String(),
    redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 100 }),
    client_name: Type.Optional(Type.Unknown()),
    grant_types: Type.Optional(Type.Array(Type.String())),
    response_types: Type.Optional(Type.Array(Type.String())),
    token_endpoint_auth_method: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.Unknown()),
  }),
)

/** @throws {ClientRefusedError} */
export function readClientMetadata(clientId: string, text: string): ClientMetadata {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new ClientRefusedError('The client metadata document is not JSON.')
  }
  if (!isDocument.Check(document)) {
    throw new ClientRefusedError('The client metadata document lacks `client_id` or `redirect_uris`.')
  }
  const { client_id, grant_types, response_types, token_endpoint_auth_method: method, client_secret } = document
  if (client_id !== clientId) {
    throw new ClientRefusedError('The `client_id` in the client metadata document is not its URL.')
  }
  // A secret in a public document is none.
  if (client_secret !== undefined || (method ?? 'none') !== 'none') {
    throw new ClientRefusedError('The client must be public: `token_endpoint_auth_method` must be `none`.')
  }
  const isForCode = (grant_types ?? ['authorization_code']).includes('authorization_code')
  if (!isForCode || !(response_types ?? ['code']).includes('code')) {
    throw new ClientRefusedError('The client metadata document does not name the authorization code grant.')
  }
  return { clientId, name: readName(document.client_name), redirectUris: document.redirect_uris }
}

function readName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const trimmed = trimBlanks(name)
  return trimmed.length <= MAX_DISPLAY_LENGTH && isDisplayText(trimmed) ? trimmed : null
}
