/** Enforces what each route declares; a route without an access class keeps the server from starting. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Config } from '../config/settings.ts'
import { DEFAULT_CURRENCY } from '../domain/payment-links/currency.ts'
import { ApiError } from '../errors.ts'
import { setCurrencyContext } from './currency.ts'
import type { App } from './endpoint.ts'
import { refuseCrossSite } from './origins.ts'
import { refuseUnknownParameters } from './unknown-parameters.ts'

type Guard = (request: FastifyRequest) => Promise<void>
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Adds the hooks that each route's access class requires.
 * @param guard authenticates the caller; runs before any other check of the request
 * @param countRead the rate limit on a caller's reads
 */
export function enforceAccess(app: App, config: Config, guard: Guard, countRead: Check = async () => {}): void {
  app.decorateRequest('currency', DEFAULT_CURRENCY)
  app.addHook('onRoute', (route) => {
    if (isPreflightRoute(route)) return
    const { access, crossSite, isUncounted, ignoresQuery = false } = route.config ?? {}
    if (access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not state its access class`)
    }
    if (access === 'authenticated' && route.config?.scope === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not state its scope`)
    }
    const checks: Check[] = []
    if (access === 'authenticated') {
      checks.push((request, reply) => guard(request).then(() => setCurrencyContext(request, reply)))
      if (isCountedRead(route.method, isUncounted)) checks.push(countRead)
      // Public operations are reached by links, to which mail programs and Google add parameters of their own.
      if (!ignoresQuery) checks.push(refuseUnknownParameters(route.schema?.querystring))
    }
    if (crossSite === 'refused') {
      checks.push(async (request) => refuseCrossSite(config, request))
    }
    // Route hooks rather than path matching: no spelling of a path bypasses them.
    route.onRequest = [...checks, ...[route.onRequest ?? []].flat()]
  })
}

/** Whether the route counts towards `RATE_LIMIT_READS`. */
export function isCountedRead(method: RouteOptions['method'], isUncounted = false): boolean {
  return !isUncounted && [method].flat().every((one) => one === 'GET' || one === 'HEAD')
}

/** Answers 405 with `Allow` for the missing methods of existing paths. Call it after all routes are added. */
export function addMethodNotAllowed(app: App, methodsByUrl: ReadonlyMap<string, Set<string>>): void {
  for (const [url, methods] of methodsByUrl) {
    const allow = [...methods].join(', ')
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => !methods.has(m))
    app.route({
      method: others,
      url,
      config: { access: 'public' },
      schema: { hide: true },
      // Before the body is read: the wrong method is the more useful error.
      onRequest: async () => {
        throw new ApiError('METHOD_NOT_ALLOWED', { headers: { allow } })
      },
      handler: async () => undefined,
    })
  }
}

/** Collects the methods of every path added after this call. */
export function collectMethods(app: App): ReadonlyMap<string, Set<string>> {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    if (isPreflightRoute(route)) return
    const methods = methodsByUrl.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    methodsByUrl.set(route.url, methods)
  })
  return methodsByUrl
}

/** The one route that @fastify/cors adds. */
export function isPreflightRoute(route: RouteOptions): boolean {
  return route.method === 'OPTIONS' && route.url === '*'
}
