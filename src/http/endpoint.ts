/** What an endpoint is made of: the typed server, and what a route states about itself besides its schemas. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Deps } from './deps.ts'
import type { ErrorCode } from '../errors.ts'

/** The server with types taken from each route's schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** One endpoint file exports one of these: it adds its route (and its HEAD, if any) to the server. */
export type Endpoint = (app: App, deps: Deps) => void

/** Who may call a route. `authenticated`: behind the guard, with a currency context. */
export type AccessClass = 'public' | 'authenticated'

/** The ways to an access token. */
export type WayIn = 'magic_link' | 'google' | 'one_tap' | 'api_key' | 'signup'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Must be stated by every route, or the server does not start. */
    access?: AccessClass
    /** Errors of this endpoint's own; those of its access class, body and limits are added. */
    errors?: readonly ErrorCode[]
    /** `refused`: a browser may call it only from our own pages or the application frontend's. */
    crossSite?: 'refused'
    /** A read that is not counted: whoever asks it for every call of others would be refused for theirs. */
    isUncounted?: true
    /** What it issues access tokens by, to count them and those that it refuses. */
    signIn?: WayIn
  }
  interface FastifySchema {
    /** Marks what we add to the specification's interface, in the OpenAPI document. */
    'x-beyond-specification'?: true
  }
}
