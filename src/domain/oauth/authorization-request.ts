/** Checks what a client asks for (RFC 6749, section 4.1.1; RFC 7636; RFC 8707; RFC 9207). */
import type { Config } from '../../config/settings.ts'
import { scopeNames } from '../keys/restrictions/scopes.ts'
import type { Scope } from '../keys/restrictions/scopes.ts'
import { findResource, resources, resourceUrl, scopesAt } from '../sign-in/resources.ts'
import type { Resource } from '../sign-in/resources.ts'
import { appScopes, defaultAppScopes } from './app-scopes.ts'
import type { AppScope } from './app-scopes.ts'
import type { ClientDocuments } from './client-documents.ts'
import { ClientRefusedError } from './client-metadata.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { isRedirectAllowed, responseUrl } from './redirect-uri.ts'

export type AuthorizationRequest = Readonly<{
  client: ClientMetadata
  redirectUri: string
  state: string | null
  codeChallenge: string
  scopes: readonly AppScope[]
  resource: Resource
}>

/** `redirectTo` is null while the client and its redirect URI are not known to belong together. */
export type Refusal = Readonly<{ error: string; message: string; redirectTo: string | null }>

/** RFC 6749, appendix A.5. */
const STATE = /^[\x20-\x7e]{1,2048}$/
/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/

const parameters = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

type Parameters = Readonly<Partial<Record<(typeof parameters)[number], string>>>

/** @param query of the authorization endpoint's URL */
export async function readAuthorizationRequest(
  { config, clientDocuments }: Readonly<{ config: Config; clientDocuments: ClientDocuments }>,
  query: string,
): Promise<AuthorizationRequest | Refusal> {
  const search = new URLSearchParams(query)
  const repeated = parameters.find((name) => search.getAll(name).length > 1)
  if (repeated !== undefined) return refusal('invalid_request', `\`${repeated}\` must not be repeated.`)
  // An empty value counts as absent (RFC 6749, section 3.1).
  const asked: Parameters = Object.fromEntries([...search].filter(([, value]) => value !== ''))
  const { client_id: clientId, redirect_uri: redirectUri, state = null } = asked
  if (clientId === undefined || redirectUri === undefined) {
    return refusal('invalid_request', '`client_id` and `redirect_uri` are required.')
  }
  let client: ClientMetadata
  try {
    client = await clientDocuments.find(clientId)
  } catch (error) {
    if (!(error instanceof ClientRefusedError)) throw error
    return refusal('invalid_client', error.message)
  }
  if (!isRedirectAllowed(redirectUri, client.redirectUris)) {
    return refusal('invalid_request', 'The client metadata document does not have this `redirect_uri`.')
  }
  if (state !== null && !STATE.test(state)) {
    return refusal('invalid_request', '`state` must have at most 2048 characters, printable ASCII only.')
  }
  const problem = problemOf(asked, config)
  if (problem !== undefined) {
    const [error, message] = problem
    return refusal(error, message, errorUrl(config, { redirectUri, state }, error, message))
  }
  const resource = findResource(config, asked.resource) ?? 'api'
  const codeChallenge = asked.code_challenge ?? ''
  return { client, redirectUri, state, codeChallenge, scopes: scopesOf(asked, resource), resource }
}

/** Tells the client that it gets no code. @param message without quotation marks and backslashes (RFC 6749, section 4.1.2.1) */
export function errorUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { redirectUri, state }: Readonly<{ redirectUri: string; state: string | null }>,
  error: string,
  message: string,
): string {
  return responseUrl(redirectUri, { error, error_description: message, state, iss: publicUrl })
}

const refusal = (error: string, message: string, redirectTo: string | null = null): Refusal => ({
  error,
  message,
  redirectTo,
})

function problemOf(asked: Parameters, config: Config): readonly [string, string] | undefined {
  if (asked.response_type !== 'code') return ['unsupported_response_type', '`response_type` must be `code`.']
  if ((asked.response_mode ?? 'query') !== 'query') return ['invalid_request', '`response_mode` must be `query`.']
  if (asked.code_challenge_method !== 'S256' || !CHALLENGE.test(asked.code_challenge ?? '')) {
    return ['invalid_request', '`code_challenge` with the `code_challenge_method` `S256` is required.']
  }
  if (!namesOf(asked).every((name) => scopeNames.includes(name as Scope))) {
    return ['invalid_scope', 'A scope is unknown.']
  }
  const resource = findResource(config, asked.resource)
  if (resource === undefined) {
    return ['invalid_target', `\`resource\` must be ${resources.map((one) => resourceUrl(config, one)).join(' or ')}.`]
  }
  if (scopesOf(asked, resource).length > 0) return undefined
  return ['invalid_scope', `An app can have ${appScopesAt(resource).join(', ')}.`]
}

const namesOf = ({ scope = '' }: Parameters): string[] => scope.split(' ').filter((name) => name !== '')

const appScopesAt = (resource: Resource): readonly AppScope[] =>
  appScopes.filter((name) => scopesAt(resource, null).includes(name))

// What no app can have there is left out: clients ask for everything that the metadata of the service lists.
function scopesOf(asked: Parameters, resource: Resource): readonly AppScope[] {
  const names = namesOf(asked)
  return names.length === 0 ? defaultAppScopes : appScopesAt(resource).filter((name) => names.includes(name))
}
