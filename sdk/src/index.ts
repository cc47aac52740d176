/** `@paylink-auth/client`: the client, its errors, the types of every operation, and the named types of openapi.json. */
export { createClient } from './client.ts'
export type { Call, CallOptions, Client, ClientOptions } from './client.ts'
export { ApiError, ConnectionError, PaylinkAuthError, UnexpectedAnswerError } from './errors.ts'
export type { GetToken, OAuthTokens } from './token-source.ts'
export * from './generated/error-classes.ts'
export type { components, operations, paths } from './generated/openapi.ts'
export type * from './generated/schemas.ts'
