/** Every error the service can answer: one closed table of codes, statuses and messages. */

type ErrorDefinition = Readonly<{ status: number; message: string }>

/**
 * The closed table of errors. A code is stable; a message is for people and may be made more
 * precise where the error is thrown. `UNAUTHORIZED` is fixed by the specification, section 7.
 */
export const errors = {
  VALIDATION_FAILED: { status: 400, message: 'The request is not of the declared form.' },
  REDIRECT_NOT_ALLOWED: {
    status: 400,
    message: 'redirectTo must be an absolute URL on the origin of the application frontend.',
  },
  CURRENCY_NOT_SUPPORTED: { status: 400, message: 'X-Currency must be one of RON, EUR, GBP.' },
  OAUTH_STATE_INVALID: {
    status: 400,
    message: 'This sign-in was not started in this browser, is finished, or took too long. Start again.',
  },
  OAUTH_DENIED: { status: 400, message: 'The sign-in with Google was cancelled or refused there.' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  INVALID_CREDENTIALS: { status: 401, message: 'The API key id or secret is not valid.' },
  LINK_INVALID: {
    status: 401,
    message: 'This sign-in link is unknown, used or expired. Ask for a new one.',
  },
  GOOGLE_CREDENTIAL_INVALID: {
    status: 401,
    message: 'The Google credential is not valid, was used before, or is too old. Sign in again.',
  },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    message: 'Google does not vouch for the e-mail address of this Google account.',
  },
  KEY_AWAITS_OWNER: {
    status: 403,
    message: 'This key was made before the owner of the address signed in. It works again once the owner keeps it.',
  },
  SIGN_IN_REQUIRED: {
    status: 403,
    message: 'This call needs a token from a sign-in by a person. A token from an API key is not accepted.',
  },
  SIGNUP_CLOSED: { status: 403, message: 'This service does not take new accounts.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'This call may not be made from another site.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  EMAIL_TAKEN: {
    status: 409,
    // A program meets this above all when it repeats a signup whose answer it never got: it says how to go on.
    message:
      'An account with this e-mail address exists, as it does after a signup whose answer was lost. With a key of it, go on at POST /auth/api/token; without, the holder of the address signs in by magic link (POST /auth/request) and makes a key.',
  },
  KEY_NOT_ACTIVE: {
    status: 409,
    message: 'This key is revoked, expired or waits for its owner.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'This account has reached its limit of API keys. Revoke one first.',
  },
  PAYMENT_LINK_LIMIT_REACHED: {
    status: 409,
    message:
      'This account has reached its limit of payment links. Ask the operator of this service to raise it, or make further links in another account.',
  },
  GOOGLE_ALREADY_CONNECTED: {
    status: 409,
    message: 'This account has another Google account. Disconnect that first.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'This Idempotency-Key was used for another request in the last 24 hours.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than 64 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The request body must be sent as Content-Type: application/json.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side.' },
  GOOGLE_UNAVAILABLE: {
    status: 503,
    message: 'Google cannot be reached. Try again shortly, or sign in by magic link.',
  },
  GOOGLE_NOT_CONFIGURED: { status: 503, message: 'This service does not offer sign-in with Google.' },
  EXCHANGE_RATE_UNAVAILABLE: {
    status: 503,
    message: 'There is no exchange rate between the currency of the payment link and that of the call.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The service cannot reach its database. Try again shortly.',
  },
} as const satisfies Record<string, ErrorDefinition>

/** One of the codes of the closed table. */
export type ErrorCode = keyof typeof errors

/** The body of every error answer (specification, section 7): these two fields and no other. */
export type ErrorBody = Readonly<{ error: { message: string; code: ErrorCode } }>

/** An error that is answered to the caller: thrown by code, written by one error handler. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Response headers that belong to this error, for example `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, options: { message?: string; headers?: Record<string, string> } = {}) {
    super(options.message ?? errors[code].message)
    this.name = 'ApiError'
    this.code = code
    this.status = errors[code].status
    this.headers = options.headers ?? {}
  }

  /** The answer's body, as the specification shows it. */
  toBody(): ErrorBody {
    return { error: { message: this.message, code: this.code } }
  }
}

/** A rate limit refuses a call. */
export class RateLimitedError extends ApiError {
  /** The name of the limit, as `RateLimit-Policy` shows it. */
  readonly limit: string

  /** @param retryAfterSeconds waiting so long is enough for every limit of the call */
  constructor(limit: string, retryAfterSeconds: number) {
    super('RATE_LIMITED', {
      message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    })
    this.limit = limit
  }
}

/**
 * The one refusal of a protected call.
 * @param error absent where the request carried no credentials
 */
export function unauthorized(error?: 'invalid_token'): ApiError {
  const challenge = 'Bearer realm="paylink-auth"'
  return new ApiError('UNAUTHORIZED', {
    headers: { 'www-authenticate': error ? `${challenge}, error="${error}"` : challenge },
  })
}
