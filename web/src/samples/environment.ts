import type { Values } from './sample.ts'

/** Lines of a `.env` file. Its values need no quotes: URL, base62 and underscore. */
export const environment = ({ baseUrl, keyId, keySecret }: Values): string =>
  [`PAYLINK_URL=${baseUrl}`, `PAYLINK_KEY_ID=${keyId}`, `PAYLINK_KEY_SECRET=${keySecret}`].join('\n')
