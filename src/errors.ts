type ErrorDefinition = Readonly<{ status: number; message: string }>

/**
 * Every error the API can answer. Codes are stable. Messages are for people, and the code that throws may give a more
 * precise one. `UNAUTHORIZED` is fixed by the specification, section 7.
 */
export const errors = {
  VALIDATION_FAILED: {
    status: 400,
    message: 'The request is malformed or does not match the schema of this endpoint.',
  },
  REDIRECT_NOT_ALLOWED: {
    status: 400,
    message: '`redirectTo` must be an absolute URL on the origin of the application frontend.',
  },
  CURRENCY_NOT_SUPPORTED: { status: 400, message: '`X-Currency` must be one of RON, EUR, GBP.' },
  OAUTH_STATE_INVALID: {
    status: 400,
    message: 'This sign-in was not started in this browser, has already finished, or has expired. Start again.',
  },
  OAUTH_DENIED: { status: 400, message: 'The sign-in was cancelled, or Google refused it.' },
  UNSUPPORTED_GRANT_TYPE: { status: 400, message: 'This `grant_type` is not supported.' },
  INVALID_GRANT: { status: 400, message: 'The token or the grant was issued to another client.' },
  INVALID_SCOPE: { status: 400, message: 'A scope in `scope` is unknown, or the client does not have it.' },
  INVALID_TARGET: {
    status: 400,
    message: '`resource` must be a resource of this service: see its protected resource metadata.',
  },
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
    message:
      'This Google account has no usable e-mail address that Google has verified. Sign in by magic link instead.',
  },
  INSUFFICIENT_SCOPE: { status: 403, message: 'These credentials may not do this.' },
  AMOUNT_NOT_ALLOWED: { status: 403, message: 'This API key may not create a payment link of this amount.' },
  KEY_AWAITS_OWNER: {
    status: 403,
    message:
      'This API key was created before the owner of the address first signed in. It works again after the owner keeps it.',
  },
  SIGN_IN_REQUIRED: {
    status: 403,
    message:
      'This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.',
  },
  SIGNUP_CLOSED: { status: 403, message: 'Signup is closed: this service does not accept new accounts.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'This endpoint cannot be called from a page of another site.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support this method. The Allow header lists the supported ones.',
  },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  EMAIL_TAKEN: {
    status: 409,
    // Usually caused by a program that repeats a signup after losing the response: the message says how to continue.
    message:
      'An account with this e-mail address exists, perhaps from an earlier signup whose answer was lost, or had this address in the last seven days. If you have an API key of the account, exchange it at POST /auth/api/token. Otherwise the holder of the address must ask for a mail (POST /auth/request): with its magic link they sign in and create a key, or it says that the address of the account was changed.',
  },
  KEY_NOT_ACTIVE: {
    status: 409,
    message: 'This API key is revoked, expired or awaiting its owner.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'This account has reached its limit of API keys. Revoke one first.',
  },
  APP_LIMIT_REACHED: {
    status: 409,
    message: 'This account has reached its limit of 50 connected apps. Disconnect one first.',
  },
  CONSENT_ENDED: {
    status: 409,
    message: 'This request is unknown, already decided or expired. Start again in the app.',
  },
  PAYMENT_LINK_LIMIT_REACHED: {
    status: 409,
    message:
      'This account has reached its limit of payment links. Ask the operator of this service to raise it, or create links in another account.',
  },
  GOOGLE_ALREADY_CONNECTED: {
    status: 409,
    message: 'Another Google account is connected to this account. Disconnect it first.',
  },
  ALREADY_CREATED: {
    status: 409,
    message:
      'An earlier request with this Idempotency-Key has already created or rotated an API key. Its secret is not shown again. Rotate the key to get a new one.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message:
      'This Idempotency-Key was used for a different request (another body or `X-Currency`) in the last 24 hours. Use a new key.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than 64 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The request body must be sent as Content-Type: application/json.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  INTERNAL: { status: 500, message: 'Internal error. Report it with the X-Request-Id of this response.' },
  GOOGLE_NOT_CONFIGURED: { status: 501, message: 'This service does not offer sign-in with Google.' },
  GOOGLE_UNAVAILABLE: {
    status: 503,
    message: 'Google cannot be reached. Try again shortly, or sign in by magic link.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The service cannot reach its database. Try again shortly.',
  },
} as const satisfies Record<string, ErrorDefinition>

/** Causes of `UNAVAILABLE` in the database: no space, another's lock, too many writes of one account, no answer. */
export const unavailableReasons = ['disk_full', 'locked', 'contention', 'unreachable'] as const

export type UnavailableReason = (typeof unavailableReasons)[number]

export type ErrorCode = keyof typeof errors

/** Specification, section 7: exactly these two fields. */
export type ErrorBody = Readonly<{ error: { message: string; code: ErrorCode } }>

/** RFC 6749, section 5.2. */
export type OAuthErrorBody = Readonly<{ error: string; error_description: string }>

/** The realm of all challenges to callers of the API. */
const REALM = 'realm="paylink-auth"'

type OAuthErrorDefinition = Readonly<{ error: string; status?: number; challenge?: string }>

// RFC 6749, sections 5.2 and 4.1.2.1; RFC 6750, section 3.1; RFC 8707, section 2. The rest are invalid requests.
const oauthErrors: Partial<Record<ErrorCode, OAuthErrorDefinition>> = {
  UNSUPPORTED_GRANT_TYPE: { error: 'unsupported_grant_type' },
  INVALID_GRANT: { error: 'invalid_grant' },
  INVALID_SCOPE: { error: 'invalid_scope' },
  INVALID_TARGET: { error: 'invalid_target' },
  INVALID_CREDENTIALS: { error: 'invalid_client', challenge: `Basic ${REALM}` },
  KEY_AWAITS_OWNER: { error: 'unauthorized_client', status: 400 },
  UNAUTHORIZED: { error: 'invalid_token' },
  INSUFFICIENT_SCOPE: { error: 'insufficient_scope' },
  RATE_LIMITED: { error: 'temporarily_unavailable' },
  UNAVAILABLE: { error: 'temporarily_unavailable' },
  INTERNAL: { error: 'server_error' },
}

/** How OAuth's endpoints answer a code. */
export function oauthErrorOf(code: ErrorCode): OAuthErrorDefinition & { status: number } {
  return { error: 'invalid_request', status: errors[code].status, ...oauthErrors[code] }
}

/** An error that becomes the response: thrown anywhere, written by the error handler (http/server/error-responses.ts). */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Extra response headers, for example `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>

  /** @param options `cause`: the error that this one stands for, for metrics */
  constructor(code: ErrorCode, options: { message?: string; headers?: Record<string, string>; cause?: unknown } = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = errors[code].status
    this.headers = options.headers ?? {}
  }

  toBody(): ErrorBody {
    return { error: { message: this.message, code: this.code } }
  }

  toOAuthBody(): OAuthErrorBody {
    // RFC 6749, section 5.2, excludes the rest.
    const description = this.message.replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, "'")
    return { error: oauthErrorOf(this.code).error, error_description: description }
  }
}

export class RateLimitedError extends ApiError {
  /** The limit's name in `RateLimit-Policy`. */
  readonly limit: string

  /** @param retryAfterSeconds long enough for every limit of the call */
  constructor(limit: string, retryAfterSeconds: number) {
    super('RATE_LIMITED', {
      message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    })
    this.limit = limit
  }
}

/** Whether the error is the 401 of a protected endpoint, to which its resource's metadata is added (RFC 9728, section 5.1). */
export const isUnauthorized = ({ code, headers }: ApiError): boolean =>
  code === 'UNAUTHORIZED' && headers['www-authenticate']?.startsWith(`Bearer ${REALM}`) === true

/**
 * The 401 of a protected endpoint, identical for every cause.
 * @param error absent if the request carried no credentials (RFC 6750, section 3.1)
 */
export function unauthorized(error?: 'invalid_token'): ApiError {
  const challenge = `Bearer ${REALM}`
  return new ApiError('UNAUTHORIZED', {
    headers: { 'www-authenticate': error ? `${challenge}, error="${error}"` : challenge },
  })
}

/**
 * The 403 for a token, or a key, without a scope (RFC 6750, section 3.1).
 * @param scope absent if the call did not name the one it needs
 */
export function insufficientScope(scope?: string): ApiError {
  const challenge = `Bearer ${REALM}, error="insufficient_scope"`
  return new ApiError('INSUFFICIENT_SCOPE', {
    message:
      scope === undefined
        ? 'The scopes of this token are restricted, and this call does not say which one it needs.'
        : `These credentials may not do this: they lack the scope \`${scope}\`.`,
    headers: { 'www-authenticate': scope === undefined ? challenge : `${challenge}, scope="${scope}"` },
  })
}
