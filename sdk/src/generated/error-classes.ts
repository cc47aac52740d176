/** A class for each error code. Made by `npm run generate` from openapi.json (ab430e1c1c563d47). */
import { ApiError } from '../errors.ts'

/** 400 `CURRENCY_NOT_SUPPORTED`: `X-Currency` must be one of RON, EUR, GBP. */
export class CurrencyNotSupportedError extends ApiError<'CURRENCY_NOT_SUPPORTED'> {
  static {
    this.prototype.name = 'CurrencyNotSupportedError'
  }
}

/** 400 `OAUTH_DENIED`: The sign-in was cancelled, or Google refused it. */
export class OauthDeniedError extends ApiError<'OAUTH_DENIED'> {
  static {
    this.prototype.name = 'OauthDeniedError'
  }
}

/** 400 `OAUTH_STATE_INVALID`: This sign-in was not started in this browser, has already finished, or has expired. Start again. */
export class OauthStateInvalidError extends ApiError<'OAUTH_STATE_INVALID'> {
  static {
    this.prototype.name = 'OauthStateInvalidError'
  }
}

/** 400 `REDIRECT_NOT_ALLOWED`: `redirectTo` must be an absolute URL on the origin of the application frontend. */
export class RedirectNotAllowedError extends ApiError<'REDIRECT_NOT_ALLOWED'> {
  static {
    this.prototype.name = 'RedirectNotAllowedError'
  }
}

/** 400 `VALIDATION_FAILED`: The request is malformed or does not match the schema of this endpoint. */
export class ValidationFailedError extends ApiError<'VALIDATION_FAILED'> {
  static {
    this.prototype.name = 'ValidationFailedError'
  }
}

/** 401 `GOOGLE_CREDENTIAL_INVALID`: The Google credential is not valid, was used before, or is too old. Sign in again. */
export class GoogleCredentialInvalidError extends ApiError<'GOOGLE_CREDENTIAL_INVALID'> {
  static {
    this.prototype.name = 'GoogleCredentialInvalidError'
  }
}

/** 401 `INVALID_CREDENTIALS`: The API key id or secret is not valid. */
export class InvalidCredentialsError extends ApiError<'INVALID_CREDENTIALS'> {
  static {
    this.prototype.name = 'InvalidCredentialsError'
  }
}

/** 401 `LINK_INVALID`: This sign-in link is unknown, used or expired. Ask for a new one. */
export class LinkInvalidError extends ApiError<'LINK_INVALID'> {
  static {
    this.prototype.name = 'LinkInvalidError'
  }
}

/** 401 `UNAUTHORIZED`: Unauthorized */
export class UnauthorizedError extends ApiError<'UNAUTHORIZED'> {
  static {
    this.prototype.name = 'UnauthorizedError'
  }
}

/** 403 `AMOUNT_NOT_ALLOWED`: This API key may not create a payment link of this amount. */
export class AmountNotAllowedError extends ApiError<'AMOUNT_NOT_ALLOWED'> {
  static {
    this.prototype.name = 'AmountNotAllowedError'
  }
}

/** 403 `EMAIL_NOT_VERIFIED`: This Google account has no usable e-mail address that Google has verified. Sign in by magic link instead. */
export class EmailNotVerifiedError extends ApiError<'EMAIL_NOT_VERIFIED'> {
  static {
    this.prototype.name = 'EmailNotVerifiedError'
  }
}

/** 403 `INSUFFICIENT_SCOPE`: These credentials may not do this. */
export class InsufficientScopeError extends ApiError<'INSUFFICIENT_SCOPE'> {
  static {
    this.prototype.name = 'InsufficientScopeError'
  }
}

/** 403 `KEY_AWAITS_OWNER`: This API key was created before the owner of the address first signed in. It works again after the owner keeps it. */
export class KeyAwaitsOwnerError extends ApiError<'KEY_AWAITS_OWNER'> {
  static {
    this.prototype.name = 'KeyAwaitsOwnerError'
  }
}

/** 403 `ORIGIN_NOT_ALLOWED`: This endpoint cannot be called from a page of another site. */
export class OriginNotAllowedError extends ApiError<'ORIGIN_NOT_ALLOWED'> {
  static {
    this.prototype.name = 'OriginNotAllowedError'
  }
}

/** 403 `SIGN_IN_REQUIRED`: This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted. */
export class SignInRequiredError extends ApiError<'SIGN_IN_REQUIRED'> {
  static {
    this.prototype.name = 'SignInRequiredError'
  }
}

/** 403 `SIGNUP_CLOSED`: Signup is closed: this service does not accept new accounts. */
export class SignupClosedError extends ApiError<'SIGNUP_CLOSED'> {
  static {
    this.prototype.name = 'SignupClosedError'
  }
}

/** 404 `NOT_FOUND`: Not found. */
export class NotFoundError extends ApiError<'NOT_FOUND'> {
  static {
    this.prototype.name = 'NotFoundError'
  }
}

/** 409 `ALREADY_CREATED`: An earlier request with this Idempotency-Key has already created or rotated an API key. Its secret is not shown again. Rotate the key to get a new one. */
export class AlreadyCreatedError extends ApiError<'ALREADY_CREATED'> {
  static {
    this.prototype.name = 'AlreadyCreatedError'
  }
}

/** 409 `APP_LIMIT_REACHED`: This account has reached its limit of 50 connected apps. Disconnect one first. */
export class AppLimitReachedError extends ApiError<'APP_LIMIT_REACHED'> {
  static {
    this.prototype.name = 'AppLimitReachedError'
  }
}

/** 409 `CONSENT_ENDED`: This request is unknown, already decided or expired. Start again in the app. */
export class ConsentEndedError extends ApiError<'CONSENT_ENDED'> {
  static {
    this.prototype.name = 'ConsentEndedError'
  }
}

/** 409 `EMAIL_TAKEN`: An account with this e-mail address exists, perhaps from an earlier signup whose answer was lost, or had this address in the last seven days. If you have an API key of the account, exchange it at POST /auth/api/token. Otherwise the holder of the address must ask for a mail (POST /auth/request): with its magic link they sign in and create a key, or it says that the address of the account was changed. */
export class EmailTakenError extends ApiError<'EMAIL_TAKEN'> {
  static {
    this.prototype.name = 'EmailTakenError'
  }
}

/** 409 `GOOGLE_ALREADY_CONNECTED`: Another Google account is connected to this account. Disconnect it first. */
export class GoogleAlreadyConnectedError extends ApiError<'GOOGLE_ALREADY_CONNECTED'> {
  static {
    this.prototype.name = 'GoogleAlreadyConnectedError'
  }
}

/** 409 `IDEMPOTENCY_CONFLICT`: This Idempotency-Key was used for a different request (another body or `X-Currency`) in the last 24 hours. Use a new key. */
export class IdempotencyConflictError extends ApiError<'IDEMPOTENCY_CONFLICT'> {
  static {
    this.prototype.name = 'IdempotencyConflictError'
  }
}

/** 409 `KEY_LIMIT_REACHED`: This account has reached its limit of API keys. Revoke one first. */
export class KeyLimitReachedError extends ApiError<'KEY_LIMIT_REACHED'> {
  static {
    this.prototype.name = 'KeyLimitReachedError'
  }
}

/** 409 `KEY_NOT_ACTIVE`: This API key is revoked, expired or awaiting its owner. */
export class KeyNotActiveError extends ApiError<'KEY_NOT_ACTIVE'> {
  static {
    this.prototype.name = 'KeyNotActiveError'
  }
}

/** 409 `PAYMENT_LINK_LIMIT_REACHED`: This account has reached its limit of payment links. Ask the operator of this service to raise it, or create links in another account. */
export class PaymentLinkLimitReachedError extends ApiError<'PAYMENT_LINK_LIMIT_REACHED'> {
  static {
    this.prototype.name = 'PaymentLinkLimitReachedError'
  }
}

/** 413 `PAYLOAD_TOO_LARGE`: The request body is larger than 64 KiB. */
export class PayloadTooLargeError extends ApiError<'PAYLOAD_TOO_LARGE'> {
  static {
    this.prototype.name = 'PayloadTooLargeError'
  }
}

/** 415 `UNSUPPORTED_MEDIA_TYPE`: The request body must be sent as Content-Type: application/json. */
export class UnsupportedMediaTypeError extends ApiError<'UNSUPPORTED_MEDIA_TYPE'> {
  static {
    this.prototype.name = 'UnsupportedMediaTypeError'
  }
}

/** 429 `RATE_LIMITED`: Too many requests. */
export class RateLimitedError extends ApiError<'RATE_LIMITED'> {
  static {
    this.prototype.name = 'RateLimitedError'
  }
}

/** 431 `HEADERS_TOO_LARGE`: The request headers are too large. */
export class HeadersTooLargeError extends ApiError<'HEADERS_TOO_LARGE'> {
  static {
    this.prototype.name = 'HeadersTooLargeError'
  }
}

/** 500 `INTERNAL`: Internal error. Report it with the X-Request-Id of this response. */
export class InternalError extends ApiError<'INTERNAL'> {
  static {
    this.prototype.name = 'InternalError'
  }
}

/** 501 `GOOGLE_NOT_CONFIGURED`: This service does not offer sign-in with Google. */
export class GoogleNotConfiguredError extends ApiError<'GOOGLE_NOT_CONFIGURED'> {
  static {
    this.prototype.name = 'GoogleNotConfiguredError'
  }
}

/** 503 `GOOGLE_UNAVAILABLE`: Google cannot be reached. Try again shortly, or sign in by magic link. */
export class GoogleUnavailableError extends ApiError<'GOOGLE_UNAVAILABLE'> {
  static {
    this.prototype.name = 'GoogleUnavailableError'
  }
}

/** 503 `UNAVAILABLE`: The service cannot reach its database. Try again shortly. */
export class UnavailableError extends ApiError<'UNAVAILABLE'> {
  static {
    this.prototype.name = 'UnavailableError'
  }
}

/** The classes by code. */
export const errorClasses = {
  CURRENCY_NOT_SUPPORTED: CurrencyNotSupportedError,
  OAUTH_DENIED: OauthDeniedError,
  OAUTH_STATE_INVALID: OauthStateInvalidError,
  REDIRECT_NOT_ALLOWED: RedirectNotAllowedError,
  VALIDATION_FAILED: ValidationFailedError,
  GOOGLE_CREDENTIAL_INVALID: GoogleCredentialInvalidError,
  INVALID_CREDENTIALS: InvalidCredentialsError,
  LINK_INVALID: LinkInvalidError,
  UNAUTHORIZED: UnauthorizedError,
  AMOUNT_NOT_ALLOWED: AmountNotAllowedError,
  EMAIL_NOT_VERIFIED: EmailNotVerifiedError,
  INSUFFICIENT_SCOPE: InsufficientScopeError,
  KEY_AWAITS_OWNER: KeyAwaitsOwnerError,
  ORIGIN_NOT_ALLOWED: OriginNotAllowedError,
  SIGN_IN_REQUIRED: SignInRequiredError,
  SIGNUP_CLOSED: SignupClosedError,
  NOT_FOUND: NotFoundError,
  ALREADY_CREATED: AlreadyCreatedError,
  APP_LIMIT_REACHED: AppLimitReachedError,
  CONSENT_ENDED: ConsentEndedError,
  EMAIL_TAKEN: EmailTakenError,
  GOOGLE_ALREADY_CONNECTED: GoogleAlreadyConnectedError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  KEY_LIMIT_REACHED: KeyLimitReachedError,
  KEY_NOT_ACTIVE: KeyNotActiveError,
  PAYMENT_LINK_LIMIT_REACHED: PaymentLinkLimitReachedError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RATE_LIMITED: RateLimitedError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  INTERNAL: InternalError,
  GOOGLE_NOT_CONFIGURED: GoogleNotConfiguredError,
  GOOGLE_UNAVAILABLE: GoogleUnavailableError,
  UNAVAILABLE: UnavailableError,
} as const
