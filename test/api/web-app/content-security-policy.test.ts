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

test('without Google the policy allows the page’s own script, style, images and service, and no HTML from strings', () => {
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

test('with Google the policy adds the four sources that Google requires', () => {
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

test('neither policy allows inline code, eval or wildcard sources', () => {
  for (const policy of [contentSecurityPolicy(), contentSecurityPolicy('https://accounts.google.com')]) {
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:|https?:(?!\/\/accounts\.google\.com\/gsi\/)/)
  }
})
