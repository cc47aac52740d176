import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { App } from './apps.ts'

/** What an assistant keeps between its requests, and where the official client sends its person. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly sentTo: URL[] = []
  readonly #clientId: string
  readonly #issuer: string
  #tokens?: OAuthTokens
  #verifier = ''

  /** @param issuer of the service */
  constructor({ clientId, redirectUri }: App, issuer: string) {
    this.#clientId = clientId
    this.#issuer = issuer
    this.redirectUrl = redirectUri
  }

  get clientMetadata() {
    return { redirect_uris: [this.redirectUrl], client_name: 'Lunch bot', token_endpoint_auth_method: 'none' }
  }
  // The SDK takes no document's address on loopback; as a stored client id it does.
  clientInformation = () => ({ client_id: this.#clientId, issuer: this.#issuer })
  state = () => 'some state'
  tokens = () => this.#tokens
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens)
  codeVerifier = () => this.#verifier
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  redirectToAuthorization = (url: URL) => void this.sentTo.push(url)
}
