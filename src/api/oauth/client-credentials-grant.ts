/** The grant `client_credentials` (RFC 6749, section 4.4): the exchange of an API key's id and secret. */
import type { ExchangeKey } from '../../domain/keys/key-exchange-store.ts'
import { createKeyAuthenticator } from '../../domain/keys/authenticate-key.ts'
import { parseRestrictions } from '../../domain/keys/restrictions/restrictions.ts'
import { KEY_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { readResource, scopesAt } from '../../domain/sign-in/resources.ts'
import { ApiError } from '../../errors.ts'
import { credentialsOf } from './client.ts'
import type { Grant } from './grant.ts'

export const clientCredentialsGrant: Grant = (deps) => {
  const keys = createKeyAuthenticator(deps)
  return async ({ form, client, attempt }) => {
    const resource = readResource(deps.config, form.resource)
    const scopeFor = (key: ExchangeKey) => scopesAt(resource, parseRestrictions(key.effective_restrictions)).join(' ')
    const { token, key } = await keys.exchange(credentialsOf(client), attempt, resource, (found) => {
      if (form.scope !== undefined) requireSame(form.scope, scopeFor(found))
    })
    const scope = scopeFor(key)
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: KEY_LIFETIME_SECONDS,
      ...(scope !== '' && { scope }),
    }
  }
}

// What a key may do is in its row, not in the token: a token that may do less would need a key that may do less.
function requireSame(asked: string, present: string): void {
  const [wanted, had] = [new Set(asked.split(' ')), new Set(present.split(' '))]
  if (wanted.symmetricDifference(had).size === 0) return
  const message =
    'A token has exactly the scopes of its API key that its `resource` takes. Omit `scope`, or use a key that is restricted to what you ask for.'
  throw new ApiError('INVALID_SCOPE', { message })
}
