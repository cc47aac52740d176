/** `@paylink-auth/client`: the client, its errors, and the types of every operation. */
export { createClient } from './client.ts'
export type { Call, CallOptions, Client, ClientOptions, Currency } from './client.ts'
export { ApiError, ConnectionError, PaylinkAuthError, UnexpectedAnswerError } from './errors.ts'
export * from './generated/error-classes.ts'
export type { operations, paths } from './generated/openapi.ts'
