import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { useCredential } from '../support/google/google.ts'
import { startWithLocalGoogle } from '../support/google/local-google.ts'
import type { WithLocalGoogle } from '../support/google/local-google.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { userOf } from '../support/database/state.ts'

let service: WithLocalGoogle
before(async () => {
  service = await startWithLocalGoogle()
})
after(() => service.close())

const gsi = (path: string) => callAt(service.origin, `GET /dev/google/gsi/${path}`)

async function credentialOf(query: string): Promise<string> {
  const { status, body, text } = await gsi(`credential?${query}`)
  assert.equal(status, 200, text)
  return body.credential
}

test('a credential has Google’s claims, signed with the stand-in’s published key', async () => {
  const issuer = `${service.origin}/dev/google`
  const { payload, protectedHeader } = await jwtVerify(
    await credentialOf('email=ana%40corp.example&workspace=on'),
    createRemoteJWKSet(new URL(`${issuer}/jwks`)),
    { issuer, audience: 'local-stand-in', algorithms: ['RS256'] },
  )
  assert.deepEqual({ ...protectedHeader, kid: typeof protectedHeader.kid }, { alg: 'RS256', kid: 'string', typ: 'JWT' })
  const { sub, jti, iat = 0, nbf = 0, exp = 0, iss: _, ...claims } = payload
  assert.deepEqual(claims, {
    aud: 'local-stand-in',
    azp: 'local-stand-in',
    email: 'ana@corp.example',
    email_verified: true,
    hd: 'corp.example',
  })
  assert.ok(sub && jti)
  assert.deepEqual([exp - iat, iat - nbf], [3600, 300])
})

test('a credential signs in once, as the same user as the redirect', async () => {
  const credential = await credentialOf('email=bob%40gmail.com')
  const { status, body, text } = await useCredential(service, credential)
  assert.equal(status, 200, text)
  assert.equal((await userOf(service.db, 'bob@gmail.com')).id, body.user.id)
  assertError(await useCredential(service, credential), 'GOOGLE_CREDENTIAL_INVALID')
  const again = await useCredential(service, await credentialOf('email=bob%40gmail.com'))
  assert.equal(again.body.user.id, body.user.id)
})

test('a mailbox is marked as hosted by Google only on request', async () => {
  await useCredential(service, await credentialOf('email=cia%40corp.example'))
  await useCredential(service, await credentialOf('email=dan%40corp.example&workspace=on'))
  assert.equal((await userOf(service.db, 'cia@corp.example')).claimed_at_ms, null)
  assert.ok((await userOf(service.db, 'dan@corp.example')).claimed_at_ms)
})

test('input that is not an address gives no credential', async () => {
  for (const query of ['', '?email=', '?email=nobody', '?email=a%40b.example%0d%0aBcc:x%40y.example']) {
    const answer = await gsi(`credential${query}`)
    assertError(answer, 'VALIDATION_FAILED')
    assert.equal(answer.body.credential, undefined)
  }
})

test('only the service’s own pages can embed the frame, which runs no inline script and says that it is not Google', async () => {
  const { headers, text } = await gsi('prompt')
  const policy = headers.get('content-security-policy') ?? ''
  assert.deepEqual(policy.match(/frame-ancestors [^;]*/g), [`frame-ancestors ${service.publicUrl}`])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /)
  assert.doesNotMatch(policy, /unsafe|\*/)
  // X-Frame-Options would refuse every page of another origin, the service's too.
  assert.equal(headers.get('x-frame-options'), null)
  assert.match(text, /<h1>This is not Google<\/h1>/)
  assert.doesNotMatch(text, /<script(?![^>]*src=)|<style|\son\w+=|style="/)
  assert.ok(text.includes(`data-opener="${service.publicUrl}"`), 'a credential goes to this origin only')
})

test('a page can load the script and the style from here, but read no credential', async () => {
  for (const [path, type] of Object.entries({ client: 'text/javascript', style: 'text/css' })) {
    const { headers, text } = await gsi(path)
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`)
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.doesNotMatch(text, /\.style\b|innerHTML/, 'the policy of the page around it allows neither')
  }
  const origin = { origin: 'https://evil.example' }
  const { headers } = await callAt(service.origin, 'GET /dev/google/gsi/credential?email=a%40b.example', {
    headers: origin,
  })
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.notEqual(headers.get('access-control-allow-origin'), '*')
  assert.notEqual(headers.get('access-control-allow-origin'), origin.origin)
})

test('requests for another host name, or through a proxy, get no answer', async () => {
  for (const path of ['client', 'style', 'prompt', 'prompt.js', 'credential?email=a%40b.example']) {
    for (const field of [
      'Host: evil.example',
      'Host: 127.0.0.1.nip.io',
      'X-Forwarded-For: 203.0.113.9',
      'Forwarded: for=203.0.113.9',
    ]) {
      const answer = await sendRaw(service.origin, [`GET /dev/google/gsi/${path} HTTP/1.1`, field])
      assert.equal(answer.status, 404, `${field} ${path}`)
      assert.doesNotMatch(answer.text, /credential|stand-in|google/i)
    }
  }
})
