/** Keeps development pages to programs on this machine. */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { isLoopback } from '../lib/network.ts'

/** Header fields that browsers and curl send by themselves; `Host` is checked on its own. */
const SENT_BY_CLIENTS =
  /^(accept|accept-.+|access-control-request-.+|authorization|cache-control|connection|content-.+|cookie|dnt|expect|host|if-.+|origin|pragma|priority|purpose|range|referer|save-data|sec-.+|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/

/**
 * Refuses a page elsewhere whose host name resolves to loopback (DNS rebinding), and every request that a proxy passed
 * on: behind one, everybody comes from loopback. A field that no client sends by itself came from a proxy, whatever its
 * name (a list of names is never complete), and HTTP/1.0 is what nginx speaks to the server behind it by default.
 * @throws {ApiError} `NOT_FOUND`
 */
export async function refuseOthers({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): Promise<void> {
  const isProxied = raw.httpVersion !== '1.1' || !Object.keys(headers).every((name) => SENT_BY_CLIENTS.test(name))
  if (isProxied || !isLoopback((headers.host ?? '').replace(/:\d+$/, ''))) throw new ApiError('NOT_FOUND')
}
