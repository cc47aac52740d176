/** The cross-site rule, for every endpoint that has it: which browser calls are refused and which are allowed. */
import type { Service } from '../service.ts'

type Headers = Readonly<Record<string, string>>

/** Calls that a browser makes for a page of another site or of an opaque origin. */
export function foreignCalls({ deps: { config } }: Service): readonly Headers[] {
  const { publicUrl, appUrl } = config
  return [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `${appUrl.origin}.evil.example` },
    { origin: `${appUrl.origin}/` },
    { origin: `${appUrl.origin}, ${publicUrl}` },
    { origin: appUrl.origin.replace(':', '+ssl:') },
    { origin: publicUrl.replace('127.0.0.1', 'localhost') },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
}

/** Calls of our own pages, the application frontend and programs. */
export function ownCalls({ deps: { config } }: Service): readonly Headers[] {
  return [
    {},
    { origin: config.appUrl.origin, 'sec-fetch-site': 'cross-site' },
    { origin: config.publicUrl, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ]
}
