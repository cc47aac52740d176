/** Every configuration for a gateway, also of those that no test runs, passes on each header field of the check. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { operations } from '../../support/documented.ts'
import { blocksOf } from '../../support/process/documented-commands.ts'

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')
const { content } = operations.find(({ id }) => id === 'check') ?? assert.fail()
const fields = Object.keys(content.responses['200'].headers).filter((name) => name !== 'X-Request-Id')
/** All but `X-Currency`, which the caller sends. */
const identity = fields.filter((name) => name !== 'X-Currency').map((name) => name.toLowerCase())

const [traefik, envoy] = blocksOf('docs/gateways.md')
  .filter(({ language }) => language === 'yaml')
  .map(({ code }) => parseAllDocuments(code)[0]?.toJS())

test('the check documents its header fields', () => {
  const expected = ['X-Account-Claimed', 'X-Api-Key-Id', 'X-Api-Key-Scopes', 'X-Currency', 'X-User-Id', 'X-User-Role']
  assert.deepEqual(fields.toSorted(), expected)
})

test('nginx, Caddy and HAProxy pass on every field', () => {
  const nginx = read('nginx-forward-auth.conf')
  const copied = /copy_headers (.*)/.exec(read('forward-auth.Caddyfile'))?.[1]?.split(' ')
  const haproxy = /IDENTITY_FIELDS = \{(.*)\}/.exec(read('haproxy-forward-auth.lua'))?.[1]
  for (const field of fields) {
    assert.match(
      nginx,
      new RegExp(`auth_request_set \\$gate_\\w+ +\\$upstream_http_${field.toLowerCase().replaceAll('-', '_')};`),
    )
    assert.match(nginx, new RegExp(`proxy_set_header ${field} +\\$gate_`))
    assert.ok(copied?.includes(field), field)
    assert.ok(haproxy?.includes(`'${field.toLowerCase()}'`), field)
  }
})

test('Traefik passes on every field and removes its other spelling', () => {
  const { 'paylink-auth': check, 'paylink-auth-clean': clean } = traefik.http.middlewares
  for (const field of fields) {
    assert.ok(check.forwardAuth.authResponseHeaders.includes(field), field)
    assert.equal(clean.headers.customRequestHeaders[field.replaceAll('-', '_')], '', field)
  }
})

test('Envoy passes on every field and first removes those that say who calls', () => {
  const filters = envoy.http_filters as readonly { name: string; typed_config: any }[]
  const [mutation, authorization] = filters.map((filter) => filter.typed_config)
  const removed = mutation.mutations.request_mutations.map((each: { remove: string }) => each.remove)
  assert.deepEqual(removed.toSorted(), identity.toSorted())
  const { patterns } = authorization.http_service.authorization_response.allowed_upstream_headers
  const passed = patterns.map((each: { exact: string }) => each.exact)
  assert.deepEqual(passed.toSorted(), fields.map((field) => field.toLowerCase()).toSorted())
})
