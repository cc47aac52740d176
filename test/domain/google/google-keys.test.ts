/** How often Google's signing keys are fetched, and when a new or withdrawn key takes effect. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { oneTap, startGoogleService, useCredential } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { newKey } from '../../support/google/issuer.ts'

const MINUTE_MS = 60_000
const COOLDOWN_MS = 30_000

// Two pairs in turn, because making one takes a tenth of a second; every key has an id of its own.
const pairs = [newKey(), newKey()] as const
let made = 0
function rotatedKey() {
  made += 1
  const { privateKey, jwk } = pairs[made % 2 === 0 ? 0 : 1]
  return { privateKey, jwk: { ...jwk, kid: `rotated-${made}` } }
}

describe('Google’s keys', () => {
  let service: GoogleService
  before(async () => void (service = await startGoogleService()))
  after(() => service.close())

  // Each test starts with freshly fetched keys.
  beforeEach(async () => {
    service.clock.advance(11 * MINUTE_MS)
    assert.equal((await oneTap(service)).status, 200)
    service.issuer.hits.jwks = 0
  })

  test('are fetched once for many credentials', async () => {
    for (let n = 0; n < 5; n++) assert.equal((await oneTap(service)).status, 200)
    service.clock.advance(10 * MINUTE_MS - 1)
    assert.equal((await oneTap(service)).status, 200)
    assert.equal(service.issuer.hits.jwks, 0)
    service.clock.advance(1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => oneTap(service)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(service.issuer.hits.jwks, 1)
  })

  test('a new one works within one call, together with the old one [F26, G11]', async () => {
    const { clock, issuer } = service
    const rotated = rotatedKey()
    issuer.keys.push(rotated)
    clock.advance(COOLDOWN_MS)
    const credentials = Array.from({ length: 5 }, () => issuer.sign(issuer.claims(), {}, rotated))
    const answers = await Promise.all(credentials.map((credential) => useCredential(service, credential)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await oneTap(service)).status, 200)
    assert.equal(issuer.hits.jwks, 1)
  })

  test('a new one is refused within 30 seconds of the last fetch, and the same credential is accepted afterwards', async () => {
    const { clock, issuer } = service
    const rotated = rotatedKey()
    issuer.keys.push(rotated)
    clock.advance(COOLDOWN_MS - 1)
    const credential = issuer.sign(issuer.claims(), {}, rotated)
    assertError(await useCredential(service, credential), 'GOOGLE_CREDENTIAL_INVALID')
    clock.advance(1)
    assert.equal((await useCredential(service, credential)).status, 200)
  })

  test('a withdrawn one is refused after ten minutes, and at once after an unknown one caused a fetch [F26, G11]', async () => {
    const { clock, issuer } = service
    const withdraw = () => {
      const [old] = issuer.keys.splice(0, Infinity, rotatedKey())
      return () => useCredential(service, issuer.sign(issuer.claims(), {}, old))
    }
    const withOld = withdraw()
    assert.equal((await withOld()).status, 200)
    clock.advance(10 * MINUTE_MS)
    assertError(await withOld(), 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal((await oneTap(service)).status, 200)

    const withOlder = withdraw()
    clock.advance(COOLDOWN_MS)
    assert.equal((await oneTap(service)).status, 200)
    assertError(await withOlder(), 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(issuer.hits.jwks, 2)
  })

  test('a credential that names no key is refused when there are several keys [G11]', async () => {
    const { clock, issuer } = service
    issuer.keys.push(rotatedKey())
    clock.advance(10 * MINUTE_MS)
    const credential = issuer.sign(issuer.claims(), { kid: undefined })
    assertError(await useCredential(service, credential), 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal((await oneTap(service)).status, 200)
  })
})
