/** What the client throws: everything is a `PaylinkAuthError`, and none of it holds a secret or a token. */

/** The base of all errors of the client. What is wrong with an argument is a `TypeError` instead. */
export class PaylinkAuthError extends Error {
  // Written out, here and below: minifiers rename classes.
  static {
    this.prototype.name = 'PaylinkAuthError'
  }
}

/** What an error tells of the answer that it came from. */
export type AnswerDetails = Readonly<{
  status: number
  requestId: string | null
  retryAfterSeconds: number | null
}>

/**
 * The service answered with an error. Each code that openapi.json knows has a class of its own, for `instanceof`;
 * a code that is newer than this client is an `ApiError` itself.
 */
export class ApiError<Code extends string = string> extends PaylinkAuthError {
  static {
    this.prototype.name = 'ApiError'
  }

  /** Stable, for programs; the message is for people. */
  readonly code: Code
  /** The HTTP status. */
  readonly status: number
  /** What the answer is called in the log of the service (`X-Request-Id`). */
  readonly requestId: string | null
  /** How long to wait before the same is tried again, where the answer says so (`Retry-After`). */
  readonly retryAfterSeconds: number | null

  /** Errors are made by the client from answers. */
  constructor(code: Code, message: string, { status, requestId, retryAfterSeconds }: AnswerDetails) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * What answered did not answer as the service does: a proxy's error page, a redirect, a `baseUrl` of something else.
 * The body is not kept: a proxy's page may show the request.
 */
export class UnexpectedAnswerError extends PaylinkAuthError {
  static {
    this.prototype.name = 'UnexpectedAnswerError'
  }

  /** The HTTP status; 0 where a browser hides it, for a redirect. */
  readonly status: number
  /** `X-Request-Id` of the answer, if any. */
  readonly requestId: string | null
  /** `Retry-After` of the answer, if any. */
  readonly retryAfterSeconds: number | null

  /** Errors are made by the client from answers. */
  constructor(message: string, { status, requestId, retryAfterSeconds }: AnswerDetails) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer came: no connection, a broken one, or none within `timeoutSeconds`. `cause` is what `fetch` threw. */
export class ConnectionError extends PaylinkAuthError {
  static {
    this.prototype.name = 'ConnectionError'
  }
}
