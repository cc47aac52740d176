import assert from 'node:assert/strict'
import test from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { errors, oauthErrorOf } from '../src/errors.ts'
import type { ErrorCode } from '../src/errors.ts'
import { codeIn, codesOf, contentOf, document, operations, schemaProblems } from './support/documented.ts'
import { startService } from './support/service.ts'

/** Codes of no operation: answered without a path or a method, or to a request that did not arrive. */
const CODES_OF_NO_OPERATION = ['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT']

type Interface = readonly [takes: string, status: number, answers?: string]

/** Specification, section 4: fields of each operation ("?": optional), its status and its answer. */
const specified: Readonly<Record<string, Interface>> = {
  'POST /auth/request': ['email redirectTo?', 200, 'ok'],
  'GET /auth/verify': ['token redirectTo?', 200, 'token needsOnboarding'],
  'POST /auth/api/token': ['keyId keySecret', 200, 'token tokenType expiresInSeconds user.id user.email user.role'],
  'POST /auth/api/signup': [
    'email name? keyName?',
    201,
    'user.id user.email apiKey.id apiKey.name apiKey.keyId keySecret ' +
      'token tokenType expiresInSeconds needsOnboarding',
  ],
  'GET /auth/google/start': ['redirectTo?', 302],
  // `iss` and `error` come from the provider (RFC 9207; RFC 6749, section 4.1.2.1). With `error` there is no `code`.
  'GET /auth/google/callback': ['code? state iss? error?', 200, 'token needsOnboarding user.id user.email user.role'],
  'POST /auth/google/onetap': [
    'credential select_by? clientId? client_id? state? g_csrf_token?',
    200,
    'token needsOnboarding user.id user.email user.role',
  ],
  // The specification leaves open whether name is required, other fields and the answer.
  'GET /auth/api-keys': ['', 200],
  'POST /auth/api-keys': ['name? expiresInDays? restrictions?', 201],
  // Our only optional addition to a specified operation (decision 0011).
  'POST /auth/api-keys/{id}/revoke': ['withDescendants?', 200],
}

/** Answers a program as specified, and redirects a browser. */
const browserRedirects = new Set(['GET /auth/verify', 'GET /auth/google/callback'])

const publicOperations = new Set([
  'POST /auth/request',
  'GET /auth/verify',
  'POST /auth/links/inspect',
  'POST /auth/links/not-me',
  'POST /auth/links/not-me/inspect',
  'POST /auth/mail/resume',
  'POST /auth/email/undo',
  'POST /auth/api-keys/leaked',
  'POST /auth/api/token',
  'POST /auth/api/signup',
  'GET /auth/config',
  'GET /',
  'GET /auth/google/start',
  'GET /auth/google/callback',
  'POST /auth/google/onetap',
  'GET /payment-links/{id}/public',
  'GET /oauth/authorize',
  'POST /oauth/token',
  'POST /oauth/introspect',
  'POST /oauth/revoke',
])

type Content = Readonly<{ schema: any; example?: unknown; examples?: Record<string, { value: unknown }> }>

function examplesOf(content: Content): unknown[] {
  if (content.example !== undefined) return [content.example]
  return Object.values(content.examples ?? {}).map(({ value }) => value)
}

/** Field names of an object; nested ones after a dot. */
function fieldsOf(schema: any): string[] {
  return Object.entries<any>(schema.properties).flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return field.type === 'object' ? fieldsOf(field).map((inner) => `${name}${mark}.${inner}`) : [name + mark]
  })
}

function untypedFields(schema: any): string[] {
  return Object.entries<any>(schema.properties ?? {}).flatMap(([name, field]) => {
    const isTyped = ['type', 'enum', 'const', 'anyOf'].some((keyword) => keyword in field)
    return isTyped ? untypedFields(field.items ?? field) : [name]
  })
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors: problems } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(problems, null, 2))
  assert.match(document.openapi, /^3\.1\./)
})

test('the committed document equals the service’s, with any settings', async () => {
  const service = await startService({ APP_URL: 'https://app.example.com', SIGNUP: 'closed' })
  try {
    const { status, body } = await service.call('GET /openapi.json')
    assert.equal(status, 200)
    assert.deepEqual(body, document, 'stale: npm run generate')
  } finally {
    await service.close()
  }
})

test('every operation has a unique name, a summary, a description, and a documented tag', () => {
  const ids = operations.map(({ id }) => id)
  assert.deepEqual(ids, [...new Set(ids)])
  const tags = new Set(document.tags.map(({ name }: { name: string }) => name))
  for (const { route, id, content } of operations) {
    assert.match(id, /^[a-z][A-Za-z]+$/, route)
    assert.ok(content.summary?.length > 3, `${route} has no summary`)
    assert.ok(content.description?.length > 3, `${route} has no description`)
    assert.equal(content.tags?.length, 1, `${route} has no tag`)
    assert.ok(tags.has(content.tags[0]), `${content.tags[0]} is not explained`)
  }
})

test('every answer has its own description', () => {
  for (const { route, content } of operations) {
    for (const [status, { description }] of Object.entries<any>(content.responses)) {
      assert.ok(description && description !== 'Default Response', `${route} ${status}`)
    }
  }
})

const allCodes = Object.keys(errors) as ErrorCode[]
/** Of a code, or of all codes that OAuth's operations answer with one error. */
const statusesOf = (code: string): number[] =>
  code in errors
    ? [errors[code as ErrorCode].status]
    : allCodes.flatMap((each) => (oauthErrorOf(each).error === code ? [oauthErrorOf(each).status] : []))

test('every error status lists its codes, each with an example of exactly that code', () => {
  for (const { route, content } of operations) {
    const statuses = Object.keys(content.responses).filter((status) => status >= '400')
    assert.ok(statuses.includes('500'), `${route} documents no failure`)
    for (const status of statuses) {
      const { schema, ...example } = content.responses[status].content['application/json']
      const codes = codesOf(content.responses[status])
      assert.ok(codes.length > 0, `${route} ${status}`)
      assert.deepEqual(examplesOf({ schema, ...example }).map(codeIn), codes, `${route} ${status}`)
      assert.ok(
        codes.every((code) => statusesOf(code).includes(Number(status))),
        `${route} ${status}`,
      )
    }
  }
})

test('every request and response body has an example, and every example matches its schema', () => {
  for (const { route, content } of operations) {
    const bodies = { body: content.requestBody, ...content.responses }
    for (const [name, body] of Object.entries<any>(bodies)) {
      const json: Content | undefined = contentOf(body)
      if (json === undefined) {
        const isEmpty = name === '302' || (/^(GET \/auth\/check|POST \/oauth\/revoke)$/.test(route) && name === '200')
        assert.ok(body === undefined || isEmpty, `${route} ${name} has no schema`)
        continue
      }
      const examples = examplesOf(json)
      assert.ok(examples.length > 0, `${route} ${name} has no example`)
      for (const example of examples) {
        assert.deepEqual(schemaProblems(json.schema, example), [], `${route} ${name}`)
      }
    }
  }
})

test('every field of every body has a type', () => {
  for (const { route, content } of operations) {
    for (const body of [content.requestBody ?? {}, ...Object.values<any>(content.responses)]) {
      assert.deepEqual(untypedFields(contentOf(body)?.schema ?? {}), [], route)
    }
  }
})

test('every error code of the service is in the document', () => {
  const responses = operations.flatMap(({ content }) => Object.values(content.responses))
  const codes = new Set(responses.flatMap(codesOf))
  // OAuth's operations answer some codes under another name.
  const isDocumented = (code: ErrorCode) => {
    const { error } = oauthErrorOf(code)
    return codes.has(code) || (error !== 'invalid_request' && codes.has(error))
  }
  const ofNoOperation = allCodes.filter((code) => !isDocumented(code))
  assert.deepEqual(ofNoOperation.toSorted(), CODES_OF_NO_OPERATION.toSorted())
  for (const code of ['NOT_FOUND', ...CODES_OF_NO_OPERATION]) {
    const { status } = errors[code as keyof typeof errors]
    assert.ok(document.info.description.includes(`${status} \`${code}\``), code)
  }
})

test('operations beyond the specification are marked as such, and no others', () => {
  for (const { route, content } of operations) {
    assert.equal(content['x-beyond-specification'] === true, !(route in specified), route)
  }
})

test('specified operations take and answer exactly what is specified', () => {
  for (const [route, [takes, status, answers]] of Object.entries(specified)) {
    const content = operations.find((operation) => operation.route === route)?.content
    assert.ok(content, `${route} is not documented`)
    const body = content.requestBody?.content['application/json'].schema
    const query = (content.parameters ?? [])
      .filter((parameter: any) => parameter.in === 'query')
      .map((parameter: any) => (parameter.required ? parameter.name : `${parameter.name}?`))
    assert.equal([...query, ...(body ? fieldsOf(body) : [])].join(' '), takes, route)
    const successes = Object.keys(content.responses).filter((each) => each < '400')
    assert.equal(successes[0], String(status), route)
    assert.deepEqual(successes.slice(1), browserRedirects.has(route) ? ['302'] : [], route)
    if (answers === undefined) continue
    const answer = content.responses[status].content['application/json'].schema
    assert.equal(fieldsOf(answer).join(' '), answers, route)
  }
})

test('an operation requires a token exactly when its access class does', () => {
  for (const { route, content } of operations) {
    const isPublic = publicOperations.has(route)
    assert.deepEqual(content.security, isPublic ? [] : [{ accessToken: [] }], route)
    const headers = (content.parameters ?? []).filter((parameter: any) => parameter.in === 'header')
    const names = headers.map((parameter: any) => parameter.name)
    const takesKey = ['POST /payment-links', 'POST /auth/api-keys', 'POST /auth/api-keys/{id}/rotate'].includes(route)
    const own = takesKey ? ['idempotency-key'] : []
    assert.deepEqual(names, isPublic ? [] : [...own, 'x-currency'], route)
  }
})
