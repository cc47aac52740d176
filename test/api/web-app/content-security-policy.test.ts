/** The policy of a page names this service's own addresses, and Google's where Google's script runs, and nobody else's. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { contentSecurityPolicy } from '../../../src/api/web-app/content-security-policy.ts'

const parse = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )

test('without Google a page loads its own script, style and pictures, calls its own service, and makes no HTML of text', () => {
  assert.deepEqual(parse(contentSecurityPolicy()), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  })
})

test('with Google it is those, and the four addresses that Google asks for', () => {
  const { 'trusted-types': none, ...without } = parse(contentSecurityPolicy())
  assert.equal(none, "'none'")
  assert.deepEqual(parse(contentSecurityPolicy('https://accounts.google.com')), {
    ...without,
    'script-src': "'self' https://accounts.google.com/gsi/client",
    'style-src': "'self' https://accounts.google.com/gsi/style",
    'connect-src': "'self' https://accounts.google.com/gsi/",
    'frame-src': 'https://accounts.google.com/gsi/',
  })
})

test('neither allows anything inline, made up as it runs, or from anywhere', () => {
  for (const policy of [contentSecurityPolicy(), contentSecurityPolicy('https://accounts.google.com')]) {
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:|https?:(?!\/\/accounts\.google\.com\/gsi\/)/)
  }
})
