/** A code is sent to a redirect URI of the client's document exactly; only the port of a loopback one is free. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackRedirect, isRedirectAllowed, responseUrl } from '../../../src/domain/oauth/redirect-uri.ts'

test('an https redirect URI is compared as text [A1]', () => {
  const registered = ['https://client.example/callback', 'https://client.example/with?query=1']
  for (const uri of registered) assert.ok(isRedirectAllowed(uri, registered), uri)
  const others = [
    'https://client.example/callback/',
    'https://client.example/callback?',
    'https://client.example/Callback',
    'https://client.example:8443/callback',
    'https://CLIENT.example/callback',
    'https://client.example/callback#',
    'https://client.example/x/../callback',
    'https://client.example/callback/../evil',
    'https://evil.example',
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
    'http://client.example/callback',
    '//client.example/callback',
    'callback',
    '',
    'javascript:alert(1)',
    'https://client.example/callback%0d%0a',
    ' https://client.example/callback',
    'https://client.example/with',
  ]
  for (const uri of others) assert.ok(!isRedirectAllowed(uri, registered), uri)
})

test('what is not an absolute URI is refused even when it is registered', () => {
  const uris = [
    'https:client.example/callback',
    'https:/client.example/callback',
    'https:///client.example/callback',
    'https:\\\\client.example/callback',
    'https://client.example\\@evil.example/callback',
    'https://client.example/call\\back',
    'http:127.0.0.1/callback',
  ]
  for (const uri of uris) assert.ok(!isRedirectAllowed(uri, [uri]), uri)
})

test('a loopback redirect URI may have any port, and nothing else that differs [A2]', () => {
  const registered = ['http://127.0.0.1/callback', 'http://localhost:3000/back', 'http://[::1]/callback']
  const allowed = [
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://localhost:3000/back',
    'http://localhost:4000/back',
    'http://localhost/back',
    'http://[::1]:5/callback',
  ]
  for (const uri of allowed) assert.ok(isRedirectAllowed(uri, registered), uri)
  const others = [
    'http://127.0.0.1:1/callback/',
    'http://127.0.0.1:1/',
    'http://127.0.0.2:1/callback',
    'http://localhost/callback',
    'https://127.0.0.1:1/callback',
    'http://127.0.0.1:1/callback?x',
    'http://127.0.0.1:1/callback#x',
    'http://user@127.0.0.1:1/callback',
    'http://127.0.0.1.evil.example:1/callback',
    'http://127.1:1/callback',
    'http://127.0.0.1:1/a/../callback',
    'http://0x7f.1:1/callback',
    'http://evil.example:1/callback',
  ]
  for (const uri of others) assert.ok(!isRedirectAllowed(uri, registered), uri)
})

test('what a document must not name is refused even if it does [A28]', () => {
  for (const uri of [
    'https://client.example/a\0b',
    'https://client.example/ș',
    'https://client.example/a b',
    'https://client.example/"',
    'http://client.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'app.example:/back',
    'https://client.example/callback#x',
    'https://user:pass@client.example/',
    'not a URL',
    'http://10.0.0.1/back',
  ]) {
    assert.ok(!isRedirectAllowed(uri, [uri]), uri)
  }
})

test('only http on this machine is loopback', () => {
  assert.ok(isLoopbackRedirect('http://localhost:1/'))
  for (const uri of ['https://localhost/', 'http://localhost.evil.example/', 'x'])
    assert.ok(!isLoopbackRedirect(uri), uri)
})

test('the answer is added to the query of the redirect URI', () => {
  const fields = { code: 'a', state: 'x&y=z #', iss: null }
  assert.equal(responseUrl('https://a.example/b', fields), 'https://a.example/b?code=a&state=x%26y%3Dz+%23')
  assert.equal(responseUrl('https://a.example/b?c=%2f', fields), 'https://a.example/b?c=%2f&code=a&state=x%26y%3Dz+%23')
})
