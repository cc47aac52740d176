/** What an app asks of a person, and the code that it gets for the consent (RFC 6749, section 4.1). */
export interface AuthorizationRequestsTable {
  id: string
  /** Who is asked. */
  user_id: string
  client_id: string
  client_name: string | null
  redirect_uri: string
  state: string | null
  /** PKCE, method S256 (RFC 7636). */
  code_challenge: string
  /** The scopes that the app asked for, separated by spaces. */
  scope: string
  /** domain/sign-in/resources.ts */
  resource: 'api' | 'mcp'
  /** Of a used code: until when a second use is recognised. */
  expires_at_ms: number
  /** Null: the person has not decided. */
  decided_at_ms: number | null
  /** Null: no consent. */
  code_hash: string | null
  /** The app's row in `api_keys`. */
  grant_id: string | null
  redeemed_at_ms: number | null
}
