/** The error responses of the OpenAPI document, and the header fields of every response. */
import { ApiError, errors, oauthErrorOf } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'
import { isInOAuthForm, oauthErrorSchema } from './openapi-oauth-errors.ts'
import { operationsOf, pascalCase, sorted } from './openapi-model.ts'
import type { Document, Header, Operation, OperationFacts, Reference, Response, Schema } from './openapi-model.ts'

const text = (description: string): Header => ({ description, schema: { type: 'string' } })

const headers = {
  'X-Request-Id': text('Identifies the call in the service’s log. The caller’s own, if it sent a usable one.'),
  'X-Currency': {
    description: 'The currency context of the call. Absent if the call was refused before it was read.',
    schema: { $ref: '#/components/schemas/Currency' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: text(
    'What is left of each limit that the call counted on, and the seconds until more: `"reads";r=99;t=1`. Absent if no limit counted it: it was refused before, or by the database (503), or limits are off.',
  ),
  'RateLimit-Policy': text(
    'Those limits: calls (`q`) in seconds (`w`), for example `"reads";q=600;w=60`. Absent without `RateLimit`.',
  ),
  'WWW-Authenticate': text(
    '`Bearer`, with `error="invalid_token"` if the call carried a token (RFC 6750), and with `resource_metadata`, the URL of the metadata of the API (RFC 9728). `Basic` if an OAuth client is refused.',
  ),
  Location: { description: 'Where the browser goes next.', schema: { type: 'string', format: 'uri' } },
  'Set-Cookie': text('The state of the sign-in with Google: set by its start, deleted by its callback.'),
  'Content-Disposition': text('Names the file for a browser that saves the answer.'),
  'Idempotent-Replayed': text(
    '`true`: the call repeats an earlier one with its `Idempotency-Key`, and changed nothing. Absent on the first.',
  ),
  Allow: text('On 405: the methods of the path.'),
} satisfies Record<string, Header>

type HeaderName = keyof typeof headers

/** Header fields of single operations, by status; `4XX` and `5XX` for their errors. */
const ownHeaders: Readonly<Record<string, Readonly<Record<string, readonly HeaderName[]>>>> = {
  startGoogle: { 302: ['Set-Cookie'] },
  googleCallback: { 200: ['Set-Cookie'], 302: ['Set-Cookie'], '4XX': ['Set-Cookie'], '5XX': ['Set-Cookie'], 431: [] },
  exportMe: { 200: ['Content-Disposition'] },
  createPaymentLink: { 201: ['Idempotent-Replayed'] },
}

/** Their limits count failures: a success says nothing of them. */
const countsFailures: ReadonlySet<string> = new Set([
  'verifyLink',
  'inspectLink',
  'inspectButton',
  'notMe',
  'resumeMail',
  'undoEmail',
  'confirmEmail',
  'googleCallback',
  'oneTap',
  'connectGoogle',
  'introspectToken',
  'revokeToken',
])

/** Errors of calls that are not counted, or not yet. */
const uncounted: ReadonlySet<ErrorCode> = new Set([
  'ORIGIN_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'KEY_AWAITS_OWNER',
  'SIGNUP_CLOSED',
  'GOOGLE_ALREADY_CONNECTED',
] as const)

/** What OAuth's operations refuse before they count. */
const uncountedByOAuth: ReadonlySet<ErrorCode> = new Set(['VALIDATION_FAILED', 'INVALID_GRANT'] as const)

const codesInOrder = Object.keys(errors) as ErrorCode[]

/** Adds the header fields of all responses, and the error responses of each operation, shared by reference. */
export function addResponses(document: Document, facts: ReadonlyMap<string, OperationFacts>): void {
  const { components } = document
  const shared: SharedErrors = new Map()
  for (const operation of operationsOf(document)) {
    const fact = facts.get(operation.operationId)
    if (fact === undefined) throw new Error(`${operation.operationId} has no route.`)
    addHeaders(operation, fact)
    addErrors(operation, fact, shared)
  }
  const responses = [...shared].map(([name, { codes, fields, isOAuth }]) => {
    const response = isOAuth ? oauthErrorResponse(codes, fields) : errorResponse(codes, fields)
    return [name, response] as const
  })
  components.responses = { Error: errorOfAnyPath, ...sorted(responses) }
  components.headers = headers
  const hasCode = (code: ErrorCode, isOAuth: boolean) =>
    [...facts.values()].some((fact) => isInOAuthForm(fact, code) === isOAuth && fact.codes.has(code))
  const apiCodes = codesInOrder.filter((code) => hasCode(code, false) || !hasCode(code, true))
  for (const code of apiCodes) {
    components.examples ??= {}
    components.examples[code] = { value: { error: { message: errors[code].message, code } } }
  }
  const codes = codesInOrder.filter((code) => hasCode(code, false))
  components.schemas = {
    ...components.schemas,
    OAuthError: oauthErrorSchema,
    Error: errorSchema('An error of any code.', { $ref: '#/components/schemas/ErrorCode' }),
    ErrorCode: { type: 'string', enum: apiCodes, description: 'Stable, for programs.' },
    ...Object.fromEntries(codes.map((code) => [errorName(code), errorSchemaOf(code)])),
  }
}

function addHeaders({ operationId, responses }: Operation, fact: OperationFacts): void {
  for (const [status, response] of Object.entries(responses as Record<string, Response>)) {
    const own = ownHeaders[operationId]?.[status] ?? []
    const fields = [
      ...fieldsOf(fact, !countsFailures.has(operationId)),
      ...(status === '302' ? (['Location'] as const) : []),
      ...own,
    ]
    response.headers = { ...referencesTo(fields), ...response.headers }
  }
}

/** By name; with the header fields of all operations that share the response. */
type SharedErrors = Map<string, { codes: readonly ErrorCode[]; fields: ReadonlySet<HeaderName>; isOAuth: boolean }>

function addErrors({ operationId, responses }: Operation, fact: OperationFacts, shared: SharedErrors): void {
  const statusOf = (code: ErrorCode) => (isInOAuthForm(fact, code) ? oauthErrorOf(code) : errors[code]).status
  for (const [status, codes] of Map.groupBy(inOrder(fact.codes), statusOf)) {
    const fields = codes.flatMap((code) => errorFieldsOf(code, fact))
    const own = ownErrorHeaders(operationId, status)
    if (own !== undefined) {
      responses[status] = errorResponse(codes, [...fields, ...own])
      continue
    }
    const isOAuth = codes.every((code) => isInOAuthForm(fact, code))
    const name = `${isOAuth ? 'OAuth' : ''}${codes.map(pascalCase).join('Or')}`
    shared.set(name, { codes, fields: new Set([...(shared.get(name)?.fields ?? []), ...fields]), isOAuth })
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  responses['default'] = { $ref: '#/components/responses/Error' }
}

function ownErrorHeaders(operationId: string, status: number): readonly HeaderName[] | undefined {
  const own = ownHeaders[operationId]
  return own?.[status] ?? own?.[`${String(status)[0]}XX`]
}

const inOrder = (codes: ReadonlySet<ErrorCode>): ErrorCode[] => codesInOrder.filter((code) => codes.has(code))

function fieldsOf({ codes, isAuthenticated }: OperationFacts, isCounted: boolean): HeaderName[] {
  const limits: readonly HeaderName[] = isCounted && codes.has('RATE_LIMITED') ? ['RateLimit', 'RateLimit-Policy'] : []
  return ['X-Request-Id', ...(isAuthenticated ? (['X-Currency'] as const) : []), ...limits]
}

function errorFieldsOf(code: ErrorCode, fact: OperationFacts): HeaderName[] {
  // Refused before the currency is read.
  if (code === 'UNAUTHORIZED' || code === 'INSUFFICIENT_SCOPE') return ['X-Request-Id', 'WWW-Authenticate']
  if (code === 'CURRENCY_NOT_SUPPORTED') return ['X-Request-Id']
  // Refused before the header fields are known.
  if (code === 'HEADERS_TOO_LARGE') return []
  const { status } = errors[code]
  return [
    ...fieldsOf(fact, !uncounted.has(code) && !(fact.isOAuth && uncountedByOAuth.has(code))),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(fact.isOAuth && code === 'INVALID_CREDENTIALS' ? (['WWW-Authenticate'] as const) : []),
  ]
}

function errorResponse(codes: readonly ErrorCode[], fields: Iterable<HeaderName>): Response {
  const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${errorName(code)}` }))
  const [only, another] = schemas
  return {
    description: codes.join(', '),
    headers: referencesTo(fields),
    content: {
      'application/json': {
        schema: only && !another ? only : { anyOf: schemas },
        examples: examplesOf(codes),
      },
    },
  }
}

function oauthErrorResponse(codes: readonly ErrorCode[], fields: Iterable<HeaderName>): Response {
  const byError = new Map(codes.map((code) => [oauthErrorOf(code).error, code]))
  return {
    description: [...byError.keys()].join(', '),
    headers: referencesTo(fields),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/OAuthError' },
        examples: Object.fromEntries(
          [...byError].map(([error, code]) => [error, { value: new ApiError(code).toOAuthBody() }]),
        ),
      },
    },
  }
}

/** Codes of no operation: of another path or method, or of a request that did not arrive. */
const codesOfAnyPath: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT']

const errorOfAnyPath: Response = {
  description: `Another error, for example of another method of the path: ${codesOfAnyPath.join(', ')}.`,
  headers: referencesTo(['X-Request-Id', 'Allow']),
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: examplesOf(codesOfAnyPath) },
  },
}

// In the order of the table above, whatever the order of their uses.
function referencesTo(fields: Iterable<HeaderName>): Record<string, Reference> {
  const wanted = new Set(fields)
  const names = (Object.keys(headers) as HeaderName[]).filter((name) => wanted.has(name))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function examplesOf(codes: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
}

const errorName = (code: ErrorCode): string => `${pascalCase(code)}Error`
const errorSchemaOf = (code: ErrorCode): Schema => errorSchema(errors[code].message, { type: 'string', const: code })

const errorSchema = (description: string, code: Schema): Schema => ({
  description,
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: { message: { type: 'string', description: 'For people.' }, code },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
})
