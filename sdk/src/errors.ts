/** Errors of the client. None of them contains a secret or a token. */

/** Base class of the errors of the client. A wrong argument is a `TypeError` instead. */
export class PaylinkAuthError extends Error {
  // A literal, here and below: minifiers rename classes.
  static {
    this.prototype.name = 'PaylinkAuthError'
  }
}

/** Fields of the answer that an error carries. */
export type AnswerDetails = Readonly<{
  status: number
  requestId: string | null
  retryAfterSeconds: number | null
}>

/**
 * The service answered with an error. Each code in openapi.json has its own subclass, for `instanceof`; a code that is
 * newer than this client is a plain `ApiError`.
 */
export class ApiError<Code extends string = string> extends PaylinkAuthError {
  static {
    this.prototype.name = 'ApiError'
  }

  /** Stable, for programs; the message is for people. */
  readonly code: Code
  readonly status: number
  /** `X-Request-Id`: identifies the call in the service's log. */
  readonly requestId: string | null
  /** `Retry-After`; null if the answer has none. */
  readonly retryAfterSeconds: number | null

  constructor(code: Code, message: string, { status, requestId, retryAfterSeconds }: AnswerDetails) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The answer did not come from the service: a proxy's error page, a redirect, a wrong `baseUrl`. The body is dropped,
 * because a proxy's page may quote the request.
 */
export class UnexpectedAnswerError extends PaylinkAuthError {
  static {
    this.prototype.name = 'UnexpectedAnswerError'
  }

  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(message: string, { status, requestId, retryAfterSeconds }: AnswerDetails) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer: no connection, a broken one, or `timeoutSeconds` passed. `cause` is the error from `fetch`. */
export class ConnectionError extends PaylinkAuthError {
  static {
    this.prototype.name = 'ConnectionError'
  }
}
