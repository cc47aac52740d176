/** The grant `authorization_code` (RFC 6749, section 4.1.3): the code that a person's consent gave an app. */
import { parseRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { redeemCode } from '../../domain/oauth/redeem-code.ts'
import { APP_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { readResource, scopesAt } from '../../domain/sign-in/resources.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { Grant } from './grant.ts'

const REFUSED =
  'The code is unknown, used or expired, or it was issued for another client, redirect URI, code verifier or resource.'

export const authorizationCodeGrant: Grant = (deps) => {
  const { config, accessTokens, keyUse } = deps
  return async ({ form, client, attempt: { source, count } }) => {
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = form
    const { id: clientId, secret } = client
    if (secret !== undefined) throw new ApiError('INVALID_CREDENTIALS', { message: 'An app has no `client_secret`.' })
    if (!code || !clientId || !redirectUri || !codeVerifier) {
      const message = '`client_id`, `code`, `redirect_uri` and `code_verifier` are required.'
      throw new ApiError('VALIDATION_FAILED', { message })
    }
    const resource = form.resource === undefined ? undefined : readResource(config, form.resource)
    const presented = { code, clientId, redirectUri, codeVerifier, resource }
    const redeemed = await redeemCode(deps, presented, source)
    if (redeemed === undefined) {
      await count(['exchange-failures-client', clientNetwork(source.ip)])
      throw new ApiError('INVALID_GRANT', { message: REFUSED })
    }
    const { user, app } = redeemed
    keyUse.note(app.id, source.ip, true)
    const grantedFor = app.resource ?? 'api'
    return {
      access_token: accessTokens.issue({
        userId: user.id,
        role: user.role,
        tokenVersion: user.token_version,
        amr: 'api_key',
        apiKeyId: app.id,
        lifetimeSeconds: APP_LIFETIME_SECONDS,
        resource: grantedFor,
      }),
      token_type: 'Bearer',
      expires_in: APP_LIFETIME_SECONDS,
      scope: scopesAt(grantedFor, parseRestrictions(app.effective_restrictions)).join(' '),
    }
  }
}
