import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { describe, test } from 'node:test'
import { ApiError } from '../../src/errors.ts'
import { refuseCrossSite } from '../../src/http/origins.ts'
import { loadConfig } from '../../src/config/load-config.ts'

const config = loadConfig(
  {
    PUBLIC_URL: 'https://auth.example.com',
    APP_URL: 'https://app.example.com:8443/in?x#y',
    SMTP_URL: 'smtp://127.0.0.1:1',
  },
  () => 'a-test-secret-of-more-than-thirty-two-bytes',
)
const OURS = 'https://auth.example.com'
const FRONTEND = 'https://app.example.com:8443'
const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'anything', ''] as const

function isRefused(headers: { origin?: string | undefined; 'sec-fetch-site'?: string | undefined }): boolean {
  try {
    refuseCrossSite(config, { headers } as FastifyRequest)
    return false
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'ORIGIN_NOT_ALLOWED')
    return true
  }
}

describe('a call with an Origin', () => {
  test('of the frontend or of our own pages is allowed, whatever Sec-Fetch-Site says', () => {
    for (const origin of [OURS, FRONTEND]) {
      for (const site of SITES) assert.equal(isRefused({ origin, 'sec-fetch-site': site }), false)
    }
  })

  test('of any other site is refused, even if Sec-Fetch-Site claims same-origin', () => {
    const foreign = [
      'https://evil.example',
      'null',
      'NULL',
      '',
      ' ',
      '*',
      'undefined',
      'https://app.example.com',
      'https://app.example.com:443',
      'http://app.example.com:8443',
      'https://app.example.com:84430',
      'https://app.example.com:8443.evil.example',
      'https://app.example.com:8443/',
      'https://app.example.com:8443/in?x#y',
      'https://APP.example.com:8443',
      'HTTPS://app.example.com:8443',
      'https://user@app.example.com:8443',
      'https://evil.example#https://app.example.com:8443',
      'https://x.app.example.com:8443',
      'https://evilapp.example.com:8443',
      `${FRONTEND}, ${OURS}`,
      `${FRONTEND} https://evil.example`,
      ` ${FRONTEND}`,
      'http://auth.example.com',
      'https://auth.example.com:443',
      'https://auth.example.com:3000',
      'https://auth.example.com.',
      'https://auth.example.com.evil.example',
      'https://auth-example.com',
      'app.example.com:8443',
      '//app.example.com:8443',
      'blob:https://auth.example.com',
      'chrome-extension://abc',
      'file://',
      'https://xn--pp-eja.example.com:8443',
    ]
    for (const origin of foreign) {
      for (const site of SITES) {
        assert.equal(isRefused({ origin, 'sec-fetch-site': site }), true, JSON.stringify([origin, site]))
      }
    }
  })
})

describe('a call without an Origin', () => {
  test('is allowed from programs, our own pages and direct navigation, and otherwise refused', () => {
    for (const site of SITES) {
      const expected = ![undefined, 'same-origin', 'none'].includes(site)
      assert.equal(isRefused({ 'sec-fetch-site': site }), expected, String(site))
    }
  })

  test('is not allowed by a Sec-Fetch-Site in another spelling or sent twice', () => {
    for (const site of ['Same-Origin', 'NONE', 'none, cross-site', 'same-origin, same-origin', 'same-origin;x']) {
      assert.equal(isRefused({ 'sec-fetch-site': site }), true, site)
    }
  })
})
