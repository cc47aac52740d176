/** The document's components: what a generator names its types by. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { currencies } from '../src/domain/payment-links/currency.ts'
import { errors } from '../src/errors.ts'
import { codesOf, document, operations } from './support/documented.ts'

const { components } = document
const raw: any[] = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods))

/** Codes that OAuth's operations answer under another name, and no other operation answers. */
const ONLY_OAUTH = new Set(['UNSUPPORTED_GRANT_TYPE', 'INVALID_GRANT', 'INVALID_SCOPE', 'INVALID_TARGET'])

/** Every object in a part of the document, itself included. */
function within(value: unknown): any[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(within)]
}
const schemaNamed = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const resultOf = (id: string) => components.schemas[`${id.charAt(0).toUpperCase()}${id.slice(1)}Result`].properties

test('the things of the interface have names, and every operation that answers one names it', () => {
  for (const id of ['getMe', 'updateMe']) assert.deepEqual(resultOf(id).user, schemaNamed('User'), id)
  for (const id of ['rotateKey', 'revokeKey', 'keepKey'])
    assert.deepEqual(resultOf(id).apiKey, schemaNamed('ApiKey'), id)
  for (const id of ['listKeys', 'listDescendants'])
    assert.deepEqual(resultOf(id).apiKeys.items, schemaNamed('ApiKey'), id)
  for (const id of ['createPaymentLink', 'getPaymentLink', 'deactivatePaymentLink'])
    assert.match(resultOf(id).paymentLink.$ref, /^#\/components\/schemas\/(Listed)?PaymentLink$/, id)
  for (const id of ['listEvents', 'exportMe']) assert.deepEqual(resultOf(id).events.items, schemaNamed('SecurityEvent'))
  assert.deepEqual(components.schemas.PaymentLink.properties.original, schemaNamed('Money'))
  assert.deepEqual(components.schemas.Money.properties.currency, schemaNamed('Currency'))
  assert.deepEqual(components.schemas.Currency.enum, [...currencies])
  assert.deepEqual(components.schemas.Error.properties.error.properties.code, schemaNamed('ErrorCode'))
  assert.deepEqual(
    components.schemas.ErrorCode.enum,
    Object.keys(errors).filter((code) => !ONLY_OAUTH.has(code)),
  )
})

test('no object has fields without a name of its own, and no name has a number', () => {
  for (const operation of raw) {
    const unnamed = within(operation).filter((part) => part.properties !== undefined)
    assert.deepEqual(unnamed, [], operation.operationId)
  }
  for (const [name, schema] of Object.entries<any>(components.schemas)) {
    assert.match(name, /^[A-Z][A-Za-z]+$/)
    const nested = Object.values<any>(schema.properties ?? {}).filter(({ properties }) => properties !== undefined)
    // The body of an error is one thing: `error` alone has no name.
    assert.equal(nested.length, name.endsWith('Error') && name !== 'OAuthError' ? 1 : 0, name)
  }
})

test('error responses are shared by reference, and each names the types of exactly its codes', () => {
  // Its errors end the sign-in: they also delete a cookie.
  const withOwnErrors = 'googleCallback'
  for (const { operationId, responses } of raw) {
    for (const [status, response] of Object.entries<any>(responses)) {
      if (status < '400' || operationId === withOwnErrors) continue
      assert.match(response.$ref, /^#\/components\/responses\/[A-Z][A-Za-z]+$/, `${operationId} ${status}`)
    }
    assert.deepEqual(responses.default, { $ref: '#/components/responses/Error' }, operationId)
  }
  for (const [name, response] of Object.entries<any>(components.responses)) {
    const { schema, examples } = response.content['application/json']
    const codes = Object.keys(examples)
    if (name.startsWith('OAuth')) {
      assert.deepEqual(schema, schemaNamed('OAuthError'))
      for (const error of codes) assert.equal(examples[error].value.error, error)
      continue
    }
    for (const code of codes) assert.deepEqual(examples[code], { $ref: `#/components/examples/${code}` })
    const types = (schema.anyOf ?? [schema]).map(({ $ref }: { $ref: string }) => $ref.replace(/.*\//, ''))
    assert.deepEqual(types, name === 'Error' ? ['Error'] : codes.map(typeName))
  }
  for (const [code, { value }] of Object.entries<any>(components.examples))
    assert.deepEqual(value, { error: { message: errors[code as keyof typeof errors].message, code } })
})

const typeName = (code: string): string =>
  `${code.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_match, first: string) => first.toUpperCase())}Error`

test('the file is less than two fifths of what it is with every reference in its place', () => {
  const file = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
  const inPlace = JSON.stringify(operations.map(({ content }) => content))
  assert.ok(JSON.stringify(document).length < 0.4 * inPlace.length)
  assert.ok(file.length < 6000 * operations.length, `${file.length} bytes`)
})

test('a page’s limit is a number, and a choice between true and false is a boolean', () => {
  const query = operations.flatMap(({ content }) =>
    (content.parameters ?? []).filter((parameter: any) => parameter.in === 'query'),
  )
  const limits = query.filter(({ name }) => name === 'limit')
  assert.ok(limits.length > 1)
  for (const { schema } of limits) assert.deepEqual(schema, { type: 'integer', minimum: 1, maximum: 100 })
  const { schema } = query.find(({ name }) => name === 'withDescendants')
  assert.deepEqual(schema, { type: 'boolean' })
  for (const parameter of query) assert.ok(parameter.schema.type, parameter.name)
})

test('every format, security scheme and tag is explained', () => {
  for (const { format } of within(document).filter((part) => typeof part.format === 'string'))
    assert.ok(document.info.description.includes(`\`${format}\``) || format === 'uri', format)
  assert.deepEqual(Object.keys(components.securitySchemes), ['accessToken'])
  assert.match(components.securitySchemes.accessToken.description, /magic link.*API key/)
  for (const { name, description } of document.tags) assert.match(description, /^[A-Z].{8,}\.$/, name)
})

test('every response names its header fields, and every header field says what it is', () => {
  for (const { route, content } of operations) {
    for (const [status, response] of Object.entries<any>(content.responses)) {
      const names = Object.keys(response.headers ?? {})
      const codes = codesOf(response)
      const expected = [
        ...(codes.join() === 'HEADERS_TOO_LARGE' ? [] : ['X-Request-Id']),
        ...(codes.includes('UNAUTHORIZED') ? ['WWW-Authenticate'] : []),
        ...(status === '429' ? ['Retry-After', 'RateLimit', 'RateLimit-Policy'] : []),
        ...(status === '503' ? ['Retry-After'] : []),
        ...(status === '302' ? ['Location'] : []),
        ...(status < '400' && content.security.length > 0 ? ['X-Currency'] : []),
      ]
      assert.deepEqual(
        expected.filter((name) => !names.includes(name)),
        [],
        `${route} ${status}`,
      )
    }
  }
  assert.deepEqual(Object.keys(components.responses.Error.headers), ['X-Request-Id', 'Allow'])
  for (const [name, header] of Object.entries<any>(components.headers)) {
    assert.match(header.description, /^.{10,}\.$/, name)
    assert.ok(header.schema.type ?? header.schema.$ref, name)
  }
})
