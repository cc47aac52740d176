/** Restricts development pages to programs on this machine. */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { isLoopback } from '../lib/network.ts'

/** Header fields that browsers and curl send by themselves. `Host` is checked separately. */
const SENT_BY_CLIENTS =
  /^(accept|accept-.+|access-control-request-.+|authorization|cache-control|connection|content-.+|cookie|dnt|expect|host|if-.+|origin|pragma|priority|purpose|range|referer|save-data|sec-.+|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/

/**
 * Rejects DNS rebinding (a foreign host name that resolves to loopback), and every request through a proxy, because
 * behind a proxy all clients come from loopback. Any header field that clients do not send by themselves came from a
 * proxy; a list of proxy headers is never complete. HTTP/1.0 is what nginx speaks to upstreams by default.
 * @throws {ApiError} `NOT_FOUND`
 */
export async function refuseOthers({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): Promise<void> {
  const isProxied = raw.httpVersion !== '1.1' || !Object.keys(headers).every((name) => SENT_BY_CLIENTS.test(name))
  if (isProxied || !isLoopback((headers.host ?? '').replace(/:\d+$/, ''))) throw new ApiError('NOT_FOUND')
}
