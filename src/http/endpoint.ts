/** The types of an endpoint: the typed server, and what a route declares besides its schemas. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Scope } from '../domain/keys/restrictions/scopes.ts'
import type { Resource } from '../domain/sign-in/resources.ts'
import type { Deps } from './deps.ts'
import type { ErrorCode } from '../errors.ts'

/** Requests and replies take their types from the route's schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Adds an endpoint's route to the server. Each endpoint file exports one. */
export type Endpoint = (app: App, deps: Deps) => void

/** `authenticated`: behind the guard, with a currency context. */
export type AccessClass = 'public' | 'authenticated'

/** How an access token was obtained, for the metrics. */
export type SignInMethod = 'magic_link' | 'google' | 'one_tap' | 'api_key' | 'signup' | 'oauth'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required: the server does not start with a route that has none. */
    access?: AccessClass
    /**
     * What a token of a restricted key needs. Required of every authenticated route: the server does not start with one
     * that has none. Null: the handler decides.
     */
    scope?: Scope | null
    /** Which tokens the guard accepts (RFC 8707). Default: those for the API. */
    resource?: Resource
    /** `oauth`: errors have the form of RFC 6749, section 5.2. */
    errorShape?: 'oauth'
    /** `any`: pages of every origin may call it and read the response. It takes no cookie. */
    cors?: 'any'
    /** The endpoint's own errors; those of its access class, body and limits are added. */
    errors?: readonly ErrorCode[]
    /** `refused`: browsers may call it only from a page of this service or of the application frontend. */
    crossSite?: 'refused'
    /** Exempts a read from `RATE_LIMIT_READS`: a gateway calls it once for every call it forwards. */
    isUncounted?: true
    /** Of an authenticated route: the query is that of another call. Else unknown parameters are refused. */
    ignoresQuery?: true
    /**
     * Whether a POST only reads. Its answer then waits for no write of others, except for those that change access
     * (docs/decisions/0040). Default: it writes.
     */
    onlyReads?: (request: FastifyRequest) => boolean
    /** Set if the route issues access tokens: the label under which metrics count successes and failures. */
    signIn?: SignInMethod
  }
  interface FastifySchema {
    /** Marks additions to the specification's interface in the OpenAPI document. */
    'x-beyond-specification'?: true
  }
}
