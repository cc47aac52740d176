/** Fetches client metadata documents. Anyone can name any URL, so each fetch is defended against SSRF. */
import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/settings.ts'
import { timeoutSignal } from '../../lib/clock.ts'
import { failureCause } from '../../lib/failure-cause.ts'
import { isLoopback } from '../../lib/network.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import type { CoreDeps } from '../deps.ts'
import { parseClientIdUrl } from './client-id-url.ts'
import { ClientRefusedError, readClientMetadata } from './client-metadata.ts'
import type { ClientMetadata } from './client-metadata.ts'

const TIMEOUT_MS = 3000
const MAX_BYTES = 16 * 1024
const MAX_FETCHES = 50
const MAX_CACHED = 500
const DEFAULT_FRESH_MS = 5 * 60_000
/** A client that withdraws a redirect URI must not wait longer. */
const MAX_FRESH_MS = 24 * 3_600_000

export type ClientDocuments = Readonly<{
  /** @throws {ClientRefusedError} */
  find(clientId: string): Promise<ClientMetadata>
  /** Look-ups since the process started. */
  results(): Readonly<Record<DocumentResult, number>>
}>

/** `failed`: it could not be fetched; `refused`: by a rule of ours. */
export type DocumentResult = 'cached' | 'fetched' | 'failed' | 'refused'

export type PinnedRequest = Readonly<{
  /** To connect to, whatever the name of the host resolves to. */
  addresses: readonly string[]
  accept: string
  /** Of the whole exchange. */
  timeoutMs: number
  maxBytes: number
}>

/** `contentType`, `cacheControl` and `age` are header fields; empty: absent. */
export type PinnedAnswer = Readonly<{
  status: number
  contentType: string
  cacheControl: string
  age: string
  text: string
}>

/** @throws when the call exceeds a bound */
export type PinnedFetch = (url: URL, request: PinnedRequest) => Promise<PinnedAnswer>

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>

type Held = Readonly<{ client: ClientMetadata; untilMs: number }>

/** @param resolve for tests */
export function createClientDocuments(
  { config, clock, log }: Pick<CoreDeps, 'clock' | 'log'> & Readonly<{ config: Pick<Config, 'hasDevelopmentPages'> }>,
  fetch: PinnedFetch,
  resolve: Resolve = resolveHost,
): ClientDocuments {
  const held = new LRUCache<string, Held>({ max: MAX_CACHED })
  const loading = new Map<string, Promise<ClientMetadata>>()
  const allowsLoopback = config.hasDevelopmentPages

  async function load(url: URL): Promise<ClientMetadata> {
    const addresses = await addressesOf(url)
    const bounds = { accept: 'application/json', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await fetch(url, { ...bounds, addresses }).catch((cause: unknown) => {
      throw new ClientRefusedError('The client metadata document could not be fetched.', { cause })
    })
    if (answer.status !== 200) {
      throw new ClientRefusedError(`The client metadata document was answered with status ${answer.status}, not 200.`)
    }
    if (!isJson(answer.contentType)) {
      throw new ClientRefusedError('The client metadata document must have the content type application/json.')
    }
    const client = readClientMetadata(url.href, answer.text)
    const freshMs = freshnessOf(answer)
    if (freshMs > 0) held.set(url.href, { client, untilMs: clock.now() + freshMs })
    return client
  }

  // Resolved once: a second resolution could answer with another address (DNS rebinding).
  async function addressesOf(url: URL): Promise<readonly string[]> {
    if (allowsLoopback && isLoopback(url.hostname)) return [loopbackAddress(url.hostname)]
    const addresses = await resolve(url.hostname).catch((cause: unknown) => {
      throw new ClientRefusedError('The host of `client_id` could not be resolved.', { cause })
    })
    if (addresses.length > 0 && addresses.every(isPublicAddress)) return addresses
    throw new ClientRefusedError('The host of `client_id` is not on the public internet.')
  }

  const results = { cached: 0, fetched: 0, failed: 0, refused: 0 }

  return {
    results: () => results,
    // Counted once, for the caller that began it.
    find: (clientId) =>
      loading.get(clientId) ??
      lookUp(clientId).catch((error: unknown) => {
        if (error instanceof ClientRefusedError && error.cause === undefined) results.refused += 1
        else noteFailure(error)
        throw error
      }),
  }

  // Without the URL, and without the cause's message, which may quote it: a caller wrote it.
  function noteFailure(error: unknown): void {
    results.failed += 1
    if (!(error instanceof ClientRefusedError)) return
    const { code } = Object(error.cause) as NodeJS.ErrnoException
    log.warn({ code, cause: failureCause(error.cause) }, error.message)
  }

  async function lookUp(clientId: string): Promise<ClientMetadata> {
    const url = parseClientIdUrl(clientId, allowsLoopback)
    if (typeof url === 'string') throw new ClientRefusedError(url)
    const known = held.get(clientId)
    if (known !== undefined && known.untilMs > clock.now()) {
      results.cached += 1
      return known.client
    }
    if (loading.size >= MAX_FETCHES) throw new ClientRefusedError('Too many clients are being looked up. Try again.')
    const started = load(url).finally(() => loading.delete(clientId))
    loading.set(clientId, started)
    const client = await started
    results.fetched += 1
    return client
  }
}

// Not `dns.lookup`: a slow name would occupy a thread that files need.
async function resolveHost(host: string): Promise<string[]> {
  const resolver = new Resolver()
  timeoutSignal(TIMEOUT_MS).addEventListener('abort', () => resolver.cancel())
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const failed = found.find((one) => one.status === 'rejected')
  if (addresses.length === 0 && failed !== undefined) throw failed.reason
  return addresses
}

const loopbackAddress = (hostname: string): string =>
  hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '')

const isJson = (contentType: string): boolean => /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(contentType)

/** How long the answer may be used (RFC 9111, section 4.2.1), in bounds. */
function freshnessOf({ cacheControl: control, age }: PinnedAnswer): number {
  if (/\bno-(store|cache)\b/i.test(control)) return 0
  const seconds = /\bs-maxage\s*=\s*"?(\d+)/i.exec(control)?.[1] ?? /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1]
  if (seconds === undefined) return DEFAULT_FRESH_MS
  return Math.min((Number(seconds) - (Number(age) || 0)) * 1000, MAX_FRESH_MS)
}
