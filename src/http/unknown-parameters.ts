import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/**
 * An `onRequest` hook that refuses query parameters that the operation does not have: ignoring a misspelt one, for
 * example `withDescendents`, would do less than the caller believes.
 * @param schema the operation's `querystring`
 */
export function refuseUnknownParameters(schema: unknown): (request: FastifyRequest) => Promise<void> {
  const { properties = {} } = (schema ?? {}) as { properties?: Readonly<Record<string, unknown>> }
  const known = new Set(Object.keys(properties))
  const names = [...known].map((name) => `\`${name}\``).join(', ')
  return async ({ query }) => {
    for (const name of Object.keys(query as object)) {
      if (known.has(name)) continue
      // Other names could contain anything.
      const what = /^\w{1,40}$/.test(name) ? `\`${name}\` is not` : 'The query has a name that is not'
      const message = `${what} a query parameter of this operation. It takes ${names === '' ? 'none' : names}.`
      throw new ApiError('VALIDATION_FAILED', { message })
    }
  }
}
