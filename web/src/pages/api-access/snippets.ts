/** What a program needs to use a key, ready to paste. */
import { baseUrl } from '../../api.ts'
import type { Credentials } from './keys.ts'

/** The lines of a `.env` file. */
export const envLines = ({ keyId, keySecret }: Credentials): string =>
  [`PAYLINK_URL=${baseUrl}`, `PAYLINK_KEY_ID=${keyId}`, `PAYLINK_KEY_SECRET=${keySecret}`].join('\n')

/** The exchange for a token, by curl. */
export const curlExchange = ({ keyId, keySecret }: Omit<Credentials, 'name'>): string =>
  [
    `curl '${baseUrl}/auth/api/token' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"keyId":"${keyId}",`,
    `      "keySecret":"${keySecret}"}'`,
  ].join('\n')

/** A first call with the token, by curl. */
export const curlCall = `curl '${baseUrl}/users/me' \\\n  -H 'Authorization: Bearer eyJ…'`
