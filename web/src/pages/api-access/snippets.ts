import { baseUrl } from '../../api.ts'
import type { Credentials } from './keys.ts'

export const envLines = ({ keyId, keySecret }: Credentials): string =>
  [`PAYLINK_URL=${baseUrl}`, `PAYLINK_KEY_ID=${keyId}`, `PAYLINK_KEY_SECRET=${keySecret}`].join('\n')

export const curlExchange = ({ keyId, keySecret }: Omit<Credentials, 'name'>): string =>
  [
    `curl '${baseUrl}/auth/api/token' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"keyId":"${keyId}",`,
    `      "keySecret":"${keySecret}"}'`,
  ].join('\n')

export const curlCall = `curl '${baseUrl}/users/me' \\\n  -H 'Authorization: Bearer eyJ…'`
